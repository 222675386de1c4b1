// Watches a source and prints what is seen, until Ctrl-C:
//   AERIE_KEY=… npx vite-node examples/watch.ts ALIAS
import { AerieError, createClient, type DetectionMessage, type Problem, unwrap } from '@aerie/client'

const root = process.env['AERIE_URL'] ?? 'http://localhost:8080'
const apiKey = process.env['AERIE_KEY'] ?? ''
const [alias] = process.argv.slice(2)
const aerie = createClient(root, { apiKey })

try {
  const sources = await unwrap(aerie.GET('/sources', { params: { query: { limit: 1000 } } }))
  const source = sources.find((one) => one.alias === alias)
  if (!source) throw new Error(`There is no source ${alias}; there are: ${sources.map((one) => one.alias).join(', ')}.`)
  for await (const scene of scenesOf(await watch(source.source_uuid))) {
    const tracks = scene.active_tracks.map(({ class_name, track_id }) => `${class_name} ${track_id}`)
    console.log(scene.timestamp, tracks.join(', '))
  }
} catch (error) {
  console.error(error instanceof AerieError ? `${error.code}: ${error.message}` : (error as Error).message)
  process.exitCode = 1
}

/** The process that watches the source already, or a new one. */
async function watch(source_uuid: string): Promise<string> {
  const live = await unwrap(aerie.GET('/processes', { params: { query: { state: 'live' } } }))
  const known = live.find((process) => process.source_uuid === source_uuid)
  return (known ?? (await unwrap(aerie.POST('/start', { params: { query: { source_uuid } } })))).process_uuid
}

/** Server-sent events, which Node 20 has no class for: messages stand between empty lines. */
async function* scenesOf(process_uuid: string): AsyncGenerator<DetectionMessage> {
  const response = await fetch(`${root}/process/${process_uuid}/events`, { headers: { api_key: apiKey } })
  if (!response.ok) throw new Error(((await response.json()) as Problem).detail)
  let text = ''
  for await (const bytes of response.body!.pipeThrough(new TextDecoderStream())) {
    const messages = (text + bytes).split('\n\n')
    text = messages.pop()!
    for (const message of messages) {
      if (message.startsWith('event: end')) return
      // Those with a name say how the process is; scenes have none.
      if (message.startsWith('event: ')) continue
      const [, data] = /^data: (.*)$/m.exec(message) ?? []
      if (data) yield JSON.parse(data) as DetectionMessage
    }
  }
}
