import { join } from 'node:path'
import { loadConfig } from '../config/config.ts'
import { type Detection } from '../core/detection.ts'
import { rounded } from '../core/numbers.ts'
import { type Command, parse, toNumberWithin, UsageError } from './command.ts'
import { type FileDetector } from './detect-file.ts'
import { type Output, standardOutput } from './output.ts'

const defaults = { model: 'fast', confidence: '30', threads: '1' } as const

export const detect: Command = {
  usage: 'detect FILE… [--model fast] [--confidence 30] [--classes person,car] [--tiles 1x1|auto] [--threads 1]',
  summary:
    'Find objects in pictures (jpg, png, bmp, webp) and videos (mp4, mov, avi), one JSON line for each: ' +
    'bbox is [x, y, width, height] in pixels, confidence goes from 0 to 100 (30 finds about as much too much as it misses). ' +
    'Small things need tiles (2x2, or auto, which is usual for the models airborne and overhead).',
  async run(args) {
    const { values, positionals: files } = parse(args, {
      model: { type: 'string', default: defaults.model },
      confidence: { type: 'string', default: defaults.confidence },
      classes: { type: 'string' },
      tiles: { type: 'string' },
      threads: { type: 'string', default: defaults.threads },
    })
    if (files.length === 0) throw new UsageError('name at least one file')
    const confidence = toNumberWithin(values.confidence, '--confidence', 0, 100)
    const threads = toNumberWithin(values.threads, '--threads', 1, 64)
    if (!Number.isInteger(threads)) throw new UsageError('--threads must be a whole number')
    const { tiles } = values
    const classes = values.classes?.split(',').map((name) => name.trim())
    const { dataDir, modelsDir, maxPicture } = loadConfig(process.env, 'config.yml')

    // Loaded only now: they are large, and `aerie help` must come at once.
    const { parseTileGrid } = await import('../pipeline/detect/tiles.ts')
    const { createFileDetector } = await import('./detect-file.ts')
    const detector = await createFileDetector({
      model: values.model,
      confidence: confidence / 100,
      threads,
      tiles: tiles === undefined || tiles === 'auto' ? tiles : parseTileGrid(tiles),
      onTiled: (sentence) => process.stderr.write(`aerie: tiles ${sentence}\n`),
      cacheDir: join(dataDir, 'models'),
      modelsDir,
      maxPicture,
      ...(classes && { classes }),
    })
    try {
      const output = standardOutput()
      for (const file of files) await detectOne(detector, file, output)
    } finally {
      await detector.close()
    }
  },
}

/** A file that fails is reported; the others are still looked at. */
async function detectOne(detector: FileDetector, file: string, output: Output): Promise<void> {
  try {
    for await (const { frame, detections } of detector.detect(file)) {
      const lines = detections.map((detection) => `${JSON.stringify(toLine(file, frame, detection))}\n`)
      if (!(await output.write(lines.join('')))) return
    }
  } catch (error) {
    process.stderr.write(`aerie: ${(error as Error).message}\n`)
    process.exitCode = 1
  }
}

function toLine(file: string, frame: number, { className, classId, box, confidence }: Detection) {
  return {
    file,
    frame,
    class_name: className,
    class_id: classId,
    bbox: [box.x, box.y, box.width, box.height].map((value) => rounded(value, 2)),
    confidence: rounded(confidence * 100, 2),
  }
}
