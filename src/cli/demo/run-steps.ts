import { demoSteps, type DemoContext } from './steps.ts'

/** Says on standard error what it does. */
export async function runSteps(context: DemoContext): Promise<void> {
  for (const { name, run } of demoSteps) {
    process.stderr.write(`aerie: ${name} …\n`)
    await run(context)
  }
}
