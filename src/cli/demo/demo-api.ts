/** The service's own API, as any program would use it. */
export interface DemoApi {
  call<T>(method: string, path: string, body?: unknown): Promise<T>
}

/** An error of the service, with its code. */
export class DemoApiError extends Error {
  readonly code: string
  constructor(code: string, detail: string) {
    super(detail)
    this.code = code
  }
}

export function createDemoApi(baseUrl: string, key: string): DemoApi {
  return {
    async call<T>(method: string, path: string, body?: unknown) {
      const response = await fetch(baseUrl + path, {
        method,
        headers: { api_key: key, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as T & { code?: string; detail?: string }
      if (!response.ok) throw new DemoApiError(answer.code ?? 'unknown', answer.detail ?? String(response.status))
      return answer
    },
  }
}
