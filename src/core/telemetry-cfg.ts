import { isIP } from 'node:net'
import { z } from 'zod'
import { withoutBrackets } from './ip-address.ts'

/** How a source's telemetry reaches us, and what it may say: the `telemetry_cfg` of the API. Said when a source is registered, used when it is processed. */

const within = (min: number, max: number) => z.number().min(min).max(max)

export const fieldOfView = z.number().gt(0).lt(180)
/** −360 to 360, so that both ways of writing a heading are taken. */
const heading = within(-360, 360)

/** The fields of the interface's telemetry message but its time: what a message may say, and a camera that never moves. */
export const telemetryFields = {
  latitude: within(-90, 90),
  longitude: within(-180, 180),
  altitude: within(-1_000, 100_000),
  rel_altitude: within(-1_000, 100_000),
  speed: within(-1_000, 1_000),
  sensor_hfov: fieldOfView,
  sensor_vfov: fieldOfView,
  camera_pitch: within(-180, 180),
  camera_yaw: heading,
  camera_roll: heading,
  drone_pitch: within(-180, 180),
  drone_yaw: heading,
  drone_roll: heading,
}

export const LensName = z.enum(['wide', 'zoom', 'ir'])
export type LensName = z.infer<typeof LensName>

/**
 * A vendor's camera by the type number of its payload, and the horizontal field of view of its whole picture. How much is seen vertically follows from the
 * picture: streams keep the sensor's width and cut its height.
 */
export const PayloadLens = z.strictObject({
  payload_type: z.number().int().min(0).max(65_535).describe('The first number of the payload’s index, as in 99-0-0.'),
  lens: LensName,
  hfov: z.number().gt(0).lt(180).describe('In degrees, at zoom 1; for thermal cameras, of the whole picture.'),
})
export type PayloadLens = z.infer<typeof PayloadLens>

const HOST_NAME = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?$/

/** What any type may add, to mend what the messages lack. */
const corrections = {
  sensor_hfov: fieldOfView
    .optional()
    .describe('Horizontal field of view in degrees at zoom 1, for formats that do not send it.'),
  sensor_vfov: fieldOfView.optional().describe('Vertical field of view in degrees at zoom 1.'),
  lens: LensName.optional().describe('Which lens is streamed; the vendor’s messages do not say. Default: wide.'),
  yaw_bias_deg: z.number().min(-360).max(360).optional().describe('Added to every heading.'),
  time_offset_ms: z
    .number()
    .min(-60_000)
    .max(60_000)
    .optional()
    .describe('How much later the video is than the telemetry.'),
  max_age_ms: z
    .number()
    .int()
    .min(1)
    .max(600_000)
    .optional()
    .describe('Older telemetry locates nothing. Default 2000; 5000 for vendor_a.'),
}

const format = z
  .enum(['native', 'vendor_a', 'dji'])
  .default('native')
  .transform((name) => (name === 'dji' ? 'vendor_a' : name))
  .describe('`native`, or `vendor_a` (alias `dji`).')

const mqtt = z.strictObject({
  type: z.literal('mqtt'),
  format,
  parameters: z.strictObject({
    ip: z
      .string()
      .min(1)
      .max(255)
      .refine(
        (host) => isIP(withoutBrackets(host)) !== 0 || HOST_NAME.test(host),
        'an address or a host name, without mqtt:// and port',
      )
      .describe('Address of the broker.'),
    port: z.number().int().min(1).max(65_535),
    topic: z.string().min(1).max(1024),
    username: z.string().max(255).optional(),
    password: z.string().max(1024).optional(),
    tls: z.boolean().optional(),
    ...corrections,
  }),
})

const websocket = z.strictObject({
  type: z.literal('websocket'),
  format,
  parameters: z.strictObject(corrections).default({}),
})

const neededFieldOfView = (direction: string) =>
  z
    .number({
      error: ({ input }) =>
        input === undefined
          ? `It is missing: give the ${direction} field of view of the camera, a number of degrees between 0 and 180.`
          : undefined,
    })
    .gt(0)
    .lt(180)
    .describe(`The ${direction} field of view of the camera in degrees.`)

const fixed = z.strictObject({
  type: z.literal('static'),
  format: z.literal('native').default('native'),
  parameters: z.strictObject({
    ...corrections,
    ...z.object(telemetryFields).partial().shape,
    sensor_hfov: neededFieldOfView('horizontal'),
    sensor_vfov: neededFieldOfView('vertical'),
    timestamp: z.number().optional(),
  }),
})

export const TelemetryCfg = z.discriminatedUnion('type', [mqtt, websocket, fixed])
export type TelemetryCfg = z.infer<typeof TelemetryCfg>

/** As it is shown: without the broker's password. */
export function maskTelemetryCfg(cfg: TelemetryCfg): TelemetryCfg {
  if (cfg.type !== 'mqtt' || cfg.parameters.password === undefined) return cfg
  return { ...cfg, parameters: { ...cfg.parameters, password: '***' } }
}
