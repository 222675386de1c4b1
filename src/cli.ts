import { type Command } from './cli/command.ts'
import { fail, runCommand } from './cli/run-command.ts'
import { readServiceVersion } from './config/service-version.ts'
import { API_VERSION, PRODUCT } from './core/version.ts'

/** The `aerie` command. Each command is loaded when it is called, so that a small one starts at once. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/serve.ts')).serve,
  demo: async () => (await import('./cli/demo.ts')).demo,
  keys: async () => (await import('./cli/keys.ts')).keys,
  nodes: async () => (await import('./cli/nodes.ts')).nodes,
  doctor: async () => (await import('./cli/doctor.ts')).doctor,
  locate: async () => (await import('./cli/locate.ts')).locate,
  simulate: async () => (await import('./cli/simulate.ts')).simulate,
  backup: async () => (await import('./cli/backup.ts')).backup,
  restore: async () => (await import('./cli/backup.ts')).restore,
  detect: async () => (await import('./cli/detect.ts')).detect,
  track: async () => (await import('./cli/track.ts')).track,
  enhance: async () => (await import('./cli/enhance.ts')).enhance,
  verify: async () => (await import('./cli/verify.ts')).verify,
}

const [name = 'help', ...args] = process.argv.slice(2)
const load = Object.hasOwn(commands, name) ? commands[name] : undefined
if (load) await runCommand(await load(), args)
else if (['version', '--version'].includes(name))
  process.stdout.write(`${PRODUCT} ${readServiceVersion()}, API ${API_VERSION}\n`)
else if (['help', '--help', '-h'].includes(name)) process.stdout.write(await help())
else fail(`there is no command ${name}\n\n${await help()}`, 2)

async function help(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((loadOne) => loadOne()))
  return [
    'Usage: aerie COMMAND',
    '',
    ...all.flatMap(({ usage, summary }) => [`  aerie ${usage}`, `      ${summary}`]),
    '  aerie version',
    '      Say which version this is.',
    '',
  ].join('\n')
}
