import { stringify } from 'yaml'
import { Settings } from './settings.ts'

/** The text of `config.example.yml`: every setting with its explanation and, commented out, its default. */
export function exampleConfig(): string {
  const defaults = Settings.parse({})
  const blocks = Object.entries(Settings.shape).map(([name, schema]) => {
    const value = defaults[name as keyof Settings]
    const line = value === undefined ? `${name}:` : stringify({ [name]: value }).trimEnd()
    return `# ${schema.description}\n# ${line}\n`
  })
  const head =
    '# Settings of Aerie. Copy this file to config.yml, or name it in AERIE_CONFIG; every setting may also be an\n' +
    '# environment variable of the same name, which wins. What is commented out shows the default.\n'
  return [head, ...blocks].join('\n')
}
