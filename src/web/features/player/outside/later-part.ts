/** A script that comes after the first picture: where it did not, it is asked for once more. */
export async function laterPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch {
    // The browser hears of a lost network a moment after the request that was lost with it.
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    if (!navigator.onLine)
      await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
    return load()
  }
}

const pauseMs = 1000
