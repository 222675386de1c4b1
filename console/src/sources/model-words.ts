import { type ModelRecord } from '@aerie/client'

export interface ModelWords {
  readonly title: string
  readonly lines: readonly string[]
}

const MAX_NAMED = 6

/** What `GET /models` says of a model, for people. */
export function wordsOf(model: ModelRecord): ModelWords {
  const { name, status, use_when, description, licence, attribution } = model
  const lines = [
    use_when ?? description,
    `Finds ${classesOf(model)}.`,
    accuracyOf(model),
    speedOf(model),
    [licence, attribution].filter(Boolean).join(', '),
  ]
  return {
    title: [name, ...(status && status !== 'stable' ? [`(${status})`] : [])].join(' '),
    lines: lines.filter((line): line is string => !!line),
  }
}

function classesOf({ classes }: ModelRecord): string {
  const names = classes.map(({ class_name }) => class_name)
  const named = names.slice(0, MAX_NAMED).join(', ')
  return names.length > MAX_NAMED ? `${named} and ${names.length - MAX_NAMED} more` : named
}

function accuracyOf({ accuracy }: ModelRecord): string | undefined {
  if (!accuracy) return undefined
  const measured = accuracy.measured.map(({ on, average_precision }) => {
    const figures = Object.entries(average_precision).map(([name, value]) => `${name} ${value.toFixed(2)}`)
    return `${on}: ${figures.join(', ')}`
  })
  const people = accuracy.people ? [`people on PETS 2009: ${accuracy.people.average_precision.toFixed(2)}`] : []
  const all = [...people, ...measured]
  return all.length > 0 ? `Average precision (1 is perfect): ${all.join('; ')}.` : undefined
}

function speedOf({ speed, reference_speed }: ModelRecord): string | undefined {
  if (speed) return `${Math.round(speed.inference_ms_p50)} ms a picture on this machine when it was last used.`
  return reference_speed ? `About ${reference_speed.one_thread_ms} ms a look on one core (Neoverse-N1).` : undefined
}
