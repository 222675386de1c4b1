import { z } from 'zod'

/** The wire's shape of `GET /system`: of the machine that answers, unless a field says otherwise. */

const cores = z.number().nullable().describe('How many cores it keeps busy; null before that is measured.')
const bytes = z.number().int()
const usage = { used_cores: cores, memory_bytes: bytes }

export const SystemInfo = z.object({
  summary: z.string().describe('How many more streams fit, or what there is too little of.'),
  limited_by: z.enum(['cpu', 'memory', 'disk']).nullable().describe('What there is too little of now.'),
  cpu: z.object({ cores: z.number().int(), used_cores: cores.describe('By whatever runs on this machine.') }),
  memory: z.object({ total_bytes: bytes, available_bytes: bytes }),
  disk: z.object({
    held_bytes: bytes.describe(
      'By all that is kept on this machine: recordings, uploads, processed video, pictures of tracks.',
    ),
    limit_bytes: bytes.describe('What may be kept; beyond it the oldest goes.'),
  }),
  object_store: z
    .object({
      stored_files: z.number().int(),
      stored_bytes: bytes.describe('What is there, whether it is on the disk too or not.'),
      waiting_files: z.number().int(),
      waiting_bytes: bytes.describe('What is on the disk until it is put there.'),
      last_error: z
        .object({ at: z.string(), message: z.string() })
        .nullable()
        .describe('Why it is not put there; null while that goes well.'),
    })
    .nullable()
    .describe('Where files are kept beside the disk; null without one.'),
  room: z
    .array(
      z.object({
        model: z.string(),
        streams: z.number().int().describe('How many more fit, so that each is looked at five times a second.'),
      }),
    )
    .describe('By model.'),
  parts: z
    .array(z.object({ name: z.string(), ...usage }))
    .describe('What the service itself takes, and its workers that serve everybody.'),
  processes: z
    .array(
      z.object({
        process_uuid: z.uuid(),
        username: z.string(),
        source_alias: z.string().nullable(),
        model: z.string(),
        priority: z.enum(['low', 'normal', 'high']),
        ...usage,
        held_bytes: bytes.describe('Its processed video that is kept.'),
        model_cores: z.number().nullable().describe('Of these, those of its model.'),
        spared_cores: z
          .number()
          .nullable()
          .describe('What decoding would take in addition, were nothing left out that nobody looks at.'),
        input_fps: z.number().nullable(),
        processed_fps: z.number().nullable(),
        latency_ms_p95: z.number().nullable(),
      }),
    )
    .describe('Yours and those of your child keys, on this machine.'),
  streams: z
    .array(
      z.object({
        path: z.string(),
        username: z.string(),
        ...usage,
      }),
    )
    .describe('What recording your streams and showing them by HLS takes; the media server is among the parts.'),
  recordings: z
    .array(z.object({ source_uuid: z.uuid(), username: z.string(), alias: z.string(), held_bytes: bytes }))
    .describe('What is kept of your streams, the largest first: on all nodes of the service and in the object store.'),
  others: z.object({ processes: z.number().int(), ...usage }).describe('What works for keys that are not yours.'),
})
export type SystemInfo = z.infer<typeof SystemInfo>
