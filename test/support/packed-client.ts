import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

export interface ClientProject {
  /** One of the client's examples, to its end. */
  run(
    example: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<{ stdout: string; stderr: string }>
}

/** A project elsewhere that has installed the client from its package, with the examples in it. */
export async function createClientProject(folder: string): Promise<ClientProject> {
  const client = join(root, 'clients/typescript')
  const installed = join(folder, 'node_modules/@aerie/client')
  mkdirSync(installed, { recursive: true })
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: client })
  const [archive] = stdout.trim().split('\n').slice(-1)
  await run('tar', ['xzf', join(folder, archive!), '-C', installed, '--strip-components=1'])
  symlinkSync(join(root, 'node_modules/openapi-fetch'), join(folder, 'node_modules/openapi-fetch'))
  cpSync(join(client, 'examples'), join(folder, 'examples'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const viteNode = join(root, 'node_modules/vite-node/vite-node.mjs')
  return {
    run: (example, args, env) =>
      run(process.execPath, [viteNode, `examples/${example}`, ...args], {
        cwd: folder,
        env: { ...process.env, ...env },
        timeout: 50_000,
      }),
  }
}
