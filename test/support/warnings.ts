import { onTestFinished } from 'vitest'

/** The names of warnings that Node prints from now on until the test is over. */
export function collectWarnings(): string[] {
  const names: string[] = []
  const onWarning = ({ name }: Error) => void names.push(name)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  return names
}
