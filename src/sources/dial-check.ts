import { type Account } from '../core/account.ts'
import { inputInvalid } from '../core/input-invalid.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'

/** Refuses sources for which we would have to dial what their account may not. */
export interface DialCheck {
  checkStream(account: Account, inputUrl: string): Promise<void>
  checkBroker(account: Account, cfg: TelemetryCfg | null | undefined): Promise<void>
}

/** Why this host is not called for this account; undefined when nothing is against it. */
export type ObjectionTo = (account: Account, hostname: string, port?: number) => Promise<string | undefined>

export function createDialCheck(objectionTo: ObjectionTo): DialCheck {
  async function check(field: string, ...host: Parameters<ObjectionTo>): Promise<void> {
    const message = await objectionTo(...host)
    if (message !== undefined) throw inputInvalid([{ path: `body.${field}`, message }])
  }

  return {
    checkStream: (account, inputUrl) => check('input_url', account, new URL(inputUrl).hostname),
    async checkBroker(account, cfg) {
      if (cfg?.type !== 'mqtt') return
      await check('telemetry_cfg.parameters.ip', account, cfg.parameters.ip, cfg.parameters.port)
    },
  }
}
