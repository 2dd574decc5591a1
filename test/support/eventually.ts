/** For what happens on its own in a while: asks again until it holds, for ten seconds at most. */
export async function eventually(expectation: () => Promise<void> | void): Promise<void> {
  for (let attempt = 1; attempt < 200; attempt += 1) {
    try {
      await expectation()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  await expectation()
}
