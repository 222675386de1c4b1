import { deflateRawSync } from 'node:zlib'
import { encodeBlock, frameBlock } from '../src/core/look-blocks.ts'
import { type RecordedLook, type RecordedTrack } from '../src/core/recorded-look.ts'
import { type Row } from './benchmark.ts'

const LOOKS_A_SECOND = 5
const BLOCK_SECONDS = 10
const DAY_BLOCKS = 86_400 / BLOCK_SECONDS
/** Of which a day is computed. */
const BLOCKS = 360
const GOAL_MB = 60
/** A track lasts for so long, and its box trembles so much (one standard deviation). */
const TRACK_SECONDS = 30
const TREMBLE_PX = 2
const TREMBLE_M = 1

/** What a camera with ten objects in view, looked at five times a second, takes of the disk in a day: an hour of it, made up. */
export function measureLooks(): Row[] {
  return [
    sizeRow('a day of 10 objects, 5 looks a second', { objects: 10, hasPlaces: false }, GOAL_MB),
    sizeRow('the same with places', { objects: 10, hasPlaces: true }, GOAL_MB),
    sizeRow('20 objects with places', { objects: 20, hasPlaces: true }),
  ]
}

interface Crowd {
  readonly objects: number
  readonly hasPlaces: boolean
}

function sizeRow(what: string, crowd: Crowd, goalMb?: number): Row {
  const gauss = createGauss()
  let bytes = 0
  let cpuMs = 0
  for (let block = 0; block < BLOCKS; block++) {
    const looks = looksOf(block, crowd, gauss)
    const began = performance.now()
    const payload = encodeBlock(looks)
    bytes += frameBlock(deflateRawSync(payload), payload.length, looks).length
    cpuMs += performance.now() - began
  }
  const megabytes = (bytes * DAY_BLOCKS) / BLOCKS / 1e6
  const sightings = BLOCKS * BLOCK_SECONDS * LOOKS_A_SECOND * crowd.objects
  const value = `${megabytes.toFixed(1)} MB, ${(bytes / sightings).toFixed(1)} bytes a sighting, ${(cpuMs / BLOCKS).toFixed(1)} ms a block`
  return goalMb === undefined ? { what, value } : { what, value, goal: `< ${goalMb} MB`, isMet: megabytes < goalMb }
}

function looksOf(block: number, { objects, hasPlaces }: Crowd, gauss: () => number): RecordedLook[] {
  return Array.from({ length: BLOCK_SECONDS * LOOKS_A_SECOND }, (_, index) => {
    const second = block * BLOCK_SECONDS + index / LOOKS_A_SECOND
    const tracks = Array.from({ length: objects }, (_one, place): RecordedTrack => {
      // Each place has one after the other, not all at the same moment.
      const began = second + (place * TRACK_SECONDS) / objects
      const generation = Math.floor(began / TRACK_SECONDS)
      const walked = (began % TRACK_SECONDS) * 40
      const tremble = () => gauss() * TREMBLE_PX
      const box = { x: walked + tremble(), y: 60 * place + tremble(), width: 60 + tremble(), height: 140 + tremble() }
      const metres = () => (gauss() * TREMBLE_M) / 111_000
      const point = { latitudeDeg: 48.1 + walked / 4e6 + metres(), longitudeDeg: 11.5 + metres(), altitudeM: 520 }
      const confidence = 0.7 + 0.03 * gauss()
      const seen = { id: generation * objects + place + 1, classId: 0, className: 'person', box, confidence }
      return hasPlaces ? { ...seen, point } : seen
    })
    return { takenAtMs: Math.round(second * 1000), width: 1920, height: 1080, tracks }
  })
}

/** The same numbers in each run. */
function createGauss(): () => number {
  let seed = 12345
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  return () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
}
