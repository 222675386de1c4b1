import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEnhancer, type Enhancer } from '../src/enhance/enhancer.ts'
import { type TrackToEnhance } from '../src/enhance/messages.ts'
import { type RgbPicture } from '../src/enhance/picture/rgb-picture.ts'
import { start } from '../test/support/ffmpeg.ts'
import { writePng } from '../test/builders/png.ts'
import { aPlate } from '../test/builders/rendered-plate.ts'
import { renderPerson } from '../test/builders/rendered-person.ts'
import { renderVehicle } from '../test/builders/rendered-vehicle.ts'
import { type Benchmark, type Row } from './benchmark.ts'

const ROUNDS = 3
/** Tracks a second and core. */
const GOALS = { withPlates: 0.5, without: 20 }

export const enhancement: Benchmark = {
  name: 'enhancement',
  title: 'Enhancement',
  about: `Tracks from their JPEGs to what is told of them: a patch of 256 pixels each, and for vehicles with plates five crops of 736 as well, which is the most that is kept. By CPU time, the best of ${ROUNDS} rounds. The pictures are rendered; a vehicle whose plate cannot be read costs most, since all its crops are tried.`,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'aerie-bench-'))
    const enhancer = createEnhancer()
    try {
      const tracks = await renderTracks(folder)
      const rows: Row[] = []
      for (const { what, track, repeat, goal } of tracks) rows.push(await measure(enhancer, what, track, repeat, goal))
      return rows
    } finally {
      await enhancer.close()
      rmSync(folder, { recursive: true })
    }
  },
}

interface Task {
  readonly what: string
  readonly track: TrackToEnhance
  readonly repeat: number
  readonly goal: number
}

async function measure(
  enhancer: Enhancer,
  what: string,
  track: TrackToEnhance,
  repeat: number,
  goal: number,
): Promise<Row> {
  await enhancer.enhance(track)
  const seconds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    for (let time = 0; time < repeat; time++) await enhancer.enhance(track)
    const { user, system } = process.cpuUsage(before)
    seconds.push((user + system) / 1e6 / repeat)
  }
  const rate = 1 / Math.min(...seconds)
  return { what, value: `${rate.toFixed(rate < 10 ? 2 : 0)} tracks/s`, goal: `at least ${goal}`, isMet: rate >= goal }
}

async function renderTracks(folder: string): Promise<readonly Task[]> {
  const vehicle = (width: number, plate?: ReturnType<typeof aPlate>) =>
    renderVehicle({
      paint: '#b01820',
      width,
      height: Math.round(0.8 * width),
      lighting: { noise: 6, seed: width },
      ...(plate && { plate }),
    })
  const write = async (name: string, picture: RgbPicture, role: 'patch' | 'crop') => {
    const [png, file] = [join(folder, `${name}.png`), join(folder, `${name}.jpg`)]
    writePng(png, picture)
    await start('ffmpeg', ['-y', '-i', png, '-q:v', '4', file]).finished
    return { file, confidence: 0.8, role }
  }
  const vehicleTrack = async (name: string, className: string, plate?: ReturnType<typeof aPlate>) => {
    const sizes = [256, 732, 733, 734, 735, 736]
    const pictures = sizes.map((width) =>
      write(`${name}-${width}`, vehicle(width, plate), width === 256 ? 'patch' : 'crop'),
    )
    return { className, pictures: await Promise.all(pictures) }
  }
  const person = await write(
    'person',
    renderPerson({ upper: '#2c8c3c', lower: '#1c1c20', width: 100, height: 256 }),
    'patch',
  )
  return [
    {
      what: 'cars with a plate that can be read',
      track: await vehicleTrack('plate', 'car', aPlate({ lines: ['KX62 WTR'] })),
      repeat: 2,
      goal: GOALS.withPlates,
    },
    { what: 'cars without', track: await vehicleTrack('none', 'car'), repeat: 2, goal: GOALS.withPlates },
    {
      what: 'bicycles (colour from a patch)',
      track: { className: 'bicycle', pictures: [await write('bicycle', vehicle(256), 'patch')] },
      repeat: 20,
      goal: GOALS.without,
    },
    {
      what: 'people (clothes from a patch)',
      track: { className: 'person', pictures: [person] },
      repeat: 20,
      goal: GOALS.without,
    },
  ]
}
