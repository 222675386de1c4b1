/** Resolves as soon as the condition holds; fails when it does not within `withinMs`: a claim, or long enough for a busy machine. */
export async function until(condition: () => Promise<boolean>, withinMs = 30_000): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
