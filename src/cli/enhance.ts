import { loadConfig } from '../config/config.ts'
import { type Enhancer } from '../enhance/enhancer.ts'
import { type Command, parse, toNumber, UsageError } from './command.ts'
import { type Output, standardOutput } from './output.ts'

export const enhance: Command = {
  usage: 'enhance IMAGE… [--class car] [--angle DEG] [--distance M]',
  summary:
    'Tell what can be told of one object that fills a picture (jpg, png, webp), one JSON line for each: vehicle type, colour and plate, ' +
    'a person’s clothes, a flying thing’s size (from the angle it fills and its distance). What can’t be told is null.',
  async run(args) {
    const { values, positionals: files } = parse(args, {
      class: { type: 'string', default: 'car' },
      angle: { type: 'string' },
      distance: { type: 'string' },
    })
    if (files.length === 0) throw new UsageError('name at least one picture')
    const { enhancedClasses } = await import('../enhance/object-kind.ts')
    if (!enhancedClasses.includes(values.class))
      throw new UsageError(`nothing can be told of "${values.class}"; --class is one of ${enhancedClasses.join(', ')}`)
    const seen = {
      className: values.class,
      ...(values.angle !== undefined && { angularWidthDeg: positive(values.angle, '--angle') }),
      ...(values.distance !== undefined && { distanceM: positive(values.distance, '--distance') }),
    }
    const { maxPicture } = loadConfig(process.env, 'config.yml')
    // Loaded only now: it is large, and `aerie help` must come at once.
    const { createEnhancer } = await import('../enhance/enhancer.ts')
    const enhancer = createEnhancer({ maxPicture })
    try {
      const output = standardOutput()
      for (const file of files) if (!(await enhanceOne(enhancer, file, seen, output))) break
    } finally {
      await enhancer.close()
    }
  },
}

interface Seen {
  readonly className: string
  readonly angularWidthDeg?: number
  readonly distanceM?: number
}

/** A picture that fails is reported; the others are still looked at. False once nobody reads any more. */
async function enhanceOne(enhancer: Enhancer, file: string, seen: Seen, output: Output): Promise<boolean> {
  const { data, unread } = await enhancer.enhance({ ...seen, pictures: [{ file, confidence: 1, role: 'crop' }] })
  if (unread === undefined) return output.write(`${JSON.stringify({ file, class_name: seen.className, ...data })}\n`)
  process.stderr.write(`aerie: ${unread}\n`)
  process.exitCode = 1
  return true
}

function positive(text: string, name: string): number {
  const value = toNumber(text, name)
  if (value <= 0) throw new UsageError(`${name} must be more than 0`)
  return value
}
