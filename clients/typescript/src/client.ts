import createFetchClient, { type Client } from 'openapi-fetch'
import { type components, type paths } from './schema.ts'

/** Every operation of the API by its path, with its parameters, bodies and answers typed. */
export type AerieClient = Client<paths>

/** What every error looks like (RFC 9457). */
export type Problem = components['schemas']['Problem']

/** What is answered to this operation when all is well. */
type AnswerOf<Path extends keyof paths, Method extends keyof paths[Path], Status> = paths[Path][Method] extends {
  responses: infer Responses
}
  ? Status extends keyof Responses
    ? Responses[Status] extends { content: { 'application/json': infer Body } }
      ? Body
      : never
    : never
  : never

export type SourceRecord = AnswerOf<'/source/{source_id}', 'get', 200>
export type ProcessInfo = AnswerOf<'/process/{process_uuid}', 'get', 200>
export type ModelRecord = AnswerOf<'/models', 'get', 200>[number]
export type RecordingRecord = AnswerOf<'/sources/recordings', 'get', 200>[number]
export type SystemInfo = AnswerOf<'/system', 'get', 200>
export type NodesReport = AnswerOf<'/nodes', 'get', 200>
export type NodeProcess = AnswerOf<'/nodes/{node}/processes', 'get', 200>[number]
/** What a contact is registered with. */
export type NewContact = NonNullable<paths['/contact']['post']['requestBody']>['content']['application/json']
export type ContactRecord = AnswerOf<'/contact/{contact_uuid}', 'get', 200>
export type StreamLook = AnswerOf<'/stream/probe', 'post', 200>
export type IssuedToken = AnswerOf<'/source/{source_id}/token', 'post', 201>
/** One message of `…/detection_data`, `…/events` and `/processes/events`. */
export type DetectionMessage = AnswerOf<'/process/{process_uuid}/detection_data', 'get', 101>

export interface ClientOptions {
  /** Left out in a browser that is signed in: its cookie goes along by itself. */
  readonly apiKey?: string | undefined
  /** Another `fetch`, for tests or proxies. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

export function createClient(baseUrl: string, { apiKey, fetch }: ClientOptions = {}): AerieClient {
  return createFetchClient<paths>({
    baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''),
    ...(apiKey !== undefined && { headers: { api_key: apiKey } }),
    ...(fetch && { fetch }),
  })
}

/** An error of the service, in its own words. */
export class AerieError extends Error {
  readonly code: string
  readonly status: number
  readonly problem: Problem

  constructor(problem: Problem) {
    super(sentenceOf(problem))
    this.name = 'AerieError'
    this.code = problem.code
    this.status = problem.status
    this.problem = problem
  }
}

/** The answer's data; throws an `AerieError` when the service refused. */
export async function unwrap<Data>(
  answer: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await answer
  if (response.ok) return data as Data
  throw new AerieError(isProblem(error) ? error : unknownProblem(response.status))
}

export function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'code' in error && 'detail' in error
}

/** Bad input comes with every wrong place; the sentence names them all. */
function sentenceOf({ detail, errors }: Problem): string {
  const places = errors?.map(({ path, message }) => `${path.replace(/^(body|query)\.?/, '')} ${message}`.trim())
  return places?.length ? `This is not acceptable: ${places.join('; ')}` : detail
}

function unknownProblem(status: number): Problem {
  const detail = `The service answered ${status}, without saying why.`
  return { type: 'about:blank', title: 'Unknown problem', status, code: 'unknown', detail }
}
