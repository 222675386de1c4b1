import { z } from 'zod'
import { parseByteSize } from '../core/byte-size.ts'
import { inputSentence } from '../core/input-sentence.ts'
import { isCidr } from '../core/ip-address.ts'

/** What settings hold, as the file and the environment have it. */

export const port = z.coerce.number().int().min(0).max(65_535)
export const portOrOff = z.unknown().transform((given, context): number | 'off' => {
  // YAML of older days reads `off` as false.
  if (given === 'off' || given === false) return 'off'
  const parsed = port.safeParse(given)
  if (parsed.success && given !== true) return parsed.data
  context.addIssue({ code: 'custom', message: 'a port from 0 to 65535, or off' })
  return z.NEVER
})
/** A list: an array in the file, comma-separated in the environment. */
export const list = z.union([
  z.array(z.string()),
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
])
export const filePath = z.string().min(1)
export const cidrs = list.refine((ranges) => ranges.every(isCidr), 'addresses or ranges such as 10.0.0.0/8')
export const byteSize = z.union([
  z.number().int().positive(),
  z.string().transform((text, context) => {
    const bytes = parseByteSize(text)
    if (bytes === undefined || bytes === 0) context.addIssue({ code: 'custom', message: 'a size such as 200GB' })
    return bytes ?? 0
  }),
])

/** As it stands in the file, or as JSON in the environment. */
export function structured<Schema extends z.ZodType>(schema: Schema, example: string) {
  const fromText = z.string().transform((text, context): z.infer<Schema> => {
    try {
      const parsed = schema.safeParse(JSON.parse(text), { error: inputSentence })
      if (parsed.success) return parsed.data
    } catch {
      // Reported below.
    }
    context.addIssue({ code: 'custom', message: `JSON such as ${example}` })
    return z.NEVER
  })
  return z.union([schema, fromText]).optional()
}
