/** The service has answered, and will not. */
export class Refused extends Error {
  /** @param {number} status @param {string | undefined} code @param {string} sentence */
  constructor(status, code, sentence) {
    super(sentence)
    this.status = status
    this.code = code
  }
}

/**
 * @param {Response} response
 * @returns {Promise<Refused>} with the service's own sentence
 */
export async function refusalOf(response) {
  const { code, detail } = await response.json().catch(() => ({}))
  return new Refused(response.status, code, detail ?? `The service answered ${response.status}.`)
}
