/**
 * Loaded into every contender before its own code: tells the harness how much processor time the
 * process has used, and ends it when the harness is gone.
 */
process.on('message', () => process.send?.(process.cpuUsage()))
process.on('disconnect', () => process.exit())
// The channel must not keep a contender alive that has stopped serving.
process.channel?.unref()
