// Sends a video, lets it be processed and says how that went:
//   AERIE_KEY=… npx vite-node examples/upload.ts FILE.mp4
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AerieError, createClient, type Problem, type ProcessInfo, unwrap } from '@aerie/client'

const root = process.env['AERIE_URL'] ?? 'http://localhost:8080'
const apiKey = process.env['AERIE_KEY'] ?? ''
const [file = ''] = process.argv.slice(2)
const aerie = createClient(root, { apiKey })

try {
  const form = new FormData()
  form.set('file', await openAsBlob(file), basename(file))
  const response = await fetch(`${root}/video`, { method: 'POST', headers: { api_key: apiKey }, body: form })
  if (!response.ok) throw new Error(((await response.json()) as Problem).detail)

  const { source_uuid } = (await response.json()) as { source_uuid: string }
  const { process_uuid } = await unwrap(aerie.POST('/start', { params: { query: { source_uuid, pace: 'fast' } } }))
  const { state, stats } = await untilOver(process_uuid)
  console.log(`${state}; ${stats.consumed_seconds} s of video, ${stats.decode_errors} frames that could not be read`)
} catch (error) {
  console.error(error instanceof AerieError ? `${error.code}: ${error.message}` : (error as Error).message)
  process.exitCode = 1
}

async function untilOver(process_uuid: string): Promise<ProcessInfo> {
  for (;;) {
    const process = await unwrap(aerie.GET('/process/{process_uuid}', { params: { path: { process_uuid } } }))
    if (['finished', 'stopped', 'failed'].includes(process.state)) return process
    await sleep(1_000)
  }
}
