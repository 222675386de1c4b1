import { toZulu } from '../../core/clock.ts'
import { type EvidenceClip } from './evidence-sources.ts'

/** What the files of a package are called: as a person finds them, on any system. */

const MAX_NAME = 40

/** Letters and digits of any script; all else is a dash. */
export function fileNameOf(text: string): string {
  const plain = text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  // By characters, since half of one is none.
  const short = [...plain].slice(0, MAX_NAME).join('')
  return short.replace(/^-|-$/g, '') || 'source'
}

/** `20261116T030012Z` */
export const timeInName = (ms: number) => `${toZulu(ms).slice(0, 19).replace(/[-:]/g, '')}Z`

const numbered = (number: number) => String(number).padStart(2, '0')

function clipBase(number: number, { sourceAlias, alias, from }: EvidenceClip): string {
  return `clips/${numbered(number)}-${fileNameOf(sourceAlias ?? alias)}-${timeInName(from)}`
}

export function partPath(number: number, clip: EvidenceClip, part: number): string {
  return `${clipBase(number, clip)}${clip.parts.length > 1 ? `-${part}` : ''}.mp4`
}

export const recordPath = (number: number, clip: EvidenceClip) => `${clipBase(number, clip)}.json`

export const reportFolder = (number: number, processId: string) => `reports/${numbered(number)}/${processId}`

export function readmeOf(fingerprint: string): string {
  return `This is a package of evidence, made by Aerie.

clips/      video that was cut out of recordings, and what is known of each clip; they are numbered
reports/    what was seen in the time of each clip, by its number and the process that looked: tracks as JSON,
            positions as GeoJSON and KML, pictures by the number of the track
settings.json, versions.json    how things were set, without passwords and keys, and what made this
manifest.json                   the SHA-256 of each of these files
manifest.sig, public-key.pem    the signature of manifest.json (Ed25519), and the key to check it with

Whether anything was changed since:

    aerie verify PACKAGE.zip --key PUBLIC_KEY.pem

Take the public key from the service that made the package (GET /evidence_key), or from who vouches for it: the one in
here only shows that nothing was changed since somebody signed it. Its fingerprint is

    ${fingerprint}

Without Aerie: openssl base64 -d -in manifest.sig -out signature
               openssl pkeyutl -verify -pubin -inkey PUBLIC_KEY.pem -rawin -in manifest.json -sigfile signature
and then compare the SHA-256 of each file with manifest.json.
`
}
