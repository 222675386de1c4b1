import { detectionData } from './detection-data.ts'
import { droneData } from './drone-data.ts'
import { type OutputKind } from './output-kind.ts'
import { rtmp } from './rtmp.ts'
import { rtsp } from './rtsp.ts'

/** All types of outputs, in the order in which they are listed. A new one is a file of its own and a line here. */
export const outputKinds = [rtsp, rtmp, detectionData, droneData] as const satisfies readonly OutputKind[]

export type OutputType = (typeof outputKinds)[number]['type']

export const outputTypes = outputKinds.map(({ type }) => type)

const byType = new Map<OutputType, OutputKind>(outputKinds.map((kind) => [kind.type, kind]))

export function kindOf({ type }: { readonly type: OutputType }): OutputKind {
  return byType.get(type)!
}

/** What is wrong with the address of an output of this type; undefined when nothing is, or when it takes none. */
export function problemWithUrl(type: OutputType, url: string | undefined): string | undefined {
  const { video } = kindOf({ type })
  if (!video) return undefined
  return url === undefined ? `It is missing: give an address, as in ${examples.join(' or ')}.` : video.problemWith(url)
}

const videoKinds = outputKinds.flatMap(({ type, video }) => (video ? [{ type, video }] : []))
const examples = videoKinds.map(({ video }) => video.example)

/** For the API's documentation. */
export const urlDescription = [
  ...videoKinds.map(({ type, video }) => `${type}: ${video.description}.`),
  'None for websockets.',
].join(' ')
