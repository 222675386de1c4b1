import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type Page } from 'playwright-core'

/** A page of the console that notes whatever goes wrong in it. */
export interface ConsolePage {
  readonly page: Page
  /** Errors of scripts, failed requests and refusals, without those that a test expects. */
  problems(...expected: RegExp[]): string[]
}

/**
 * What counts as failed with the browser, and is none: letting go of what comes bit by bit (events, the next part of HLS and the
 * playlist that names it), and a video element that jumps within a file and breaks off what it was reading.
 */
const LET_GO =
  /\/(processes\/events\b|hls\/\S+(?:\/stream\.m3u8|\.\d+\.m4s)|sources\/recordings\/segments\/).* net::ERR_ABORTED$/

/** A preview that is not there within five seconds, as on a busy machine, is answered by 404; the console shows the source itself then. */
const NO_PREVIEW = /\/~preview\/whep$/

export async function openConsole(browser: Browser, url: string, options: Parameters<Browser['newPage']>[0] = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options })
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !NO_PREVIEW.test(message.location().url))
      problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  page.on('requestfailed', (request) => {
    const failure = `${request.url()} ${request.failure()?.errorText ?? ''}`
    if (!LET_GO.test(failure)) problems.push(`request: ${failure}`)
  })
  page.on('response', (response) => {
    const isWithoutPreview = response.status() === 404 && NO_PREVIEW.test(response.url())
    if (response.status() >= 400 && !isWithoutPreview) problems.push(`answer: ${response.status()} ${response.url()}`)
  })
  await page.goto(url)
  const console: ConsolePage = {
    page,
    problems: (...expected) => problems.filter((problem) => !expected.some((pattern) => pattern.test(problem))),
  }
  return console
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds that keeps somebody from using the page, as `rule: elements`. */
export async function seriousViolations(page: Page): Promise<string[]> {
  // By the debugger: the page's own policy lets no script in.
  await page.evaluate(axe)
  return page.evaluate<string[]>(`(async () => {
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => ['serious', 'critical'].includes(impact))
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join('; '))
  })()`)
}
