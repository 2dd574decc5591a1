/**
 * Loaded into every contender before its own code: reports the processor time of the process to the
 * harness, and ends the process when the harness is gone.
 */
process.on('message', () => process.send?.(process.cpuUsage()))
process.on('disconnect', () => process.exit())
// The channel must not keep a contender alive after it has stopped serving.
process.channel?.unref()
