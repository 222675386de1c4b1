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
 * @returns {Promise<Refused>} with the service's own sentence; of unacceptable input those of its places, since a page shows no list beside it
 */
export async function refusalOf(response) {
  const { code, detail, errors } = await response.json().catch(() => ({}))
  const places = Array.isArray(errors) ? errors.map(({ message }) => message).join(' ') : ''
  return new Refused(response.status, code, places || (detail ?? `The service answered ${response.status}.`))
}
