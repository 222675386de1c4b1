import { type Account } from '../core/account.ts'
import { checkHosts, type ObjectionTo } from '../core/check-hosts.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'

/** Refuses sources for which we would have to dial what their account may not. */
export interface DialCheck {
  checkStream(account: Account, inputUrl: string): Promise<void>
  checkBroker(account: Account, cfg: TelemetryCfg | null | undefined): Promise<void>
}

export function createDialCheck(objectionTo: ObjectionTo): DialCheck {
  return {
    checkStream: (account, inputUrl) =>
      checkHosts(objectionTo, account, [{ path: 'body.input_url', hostname: new URL(inputUrl).hostname }]),
    async checkBroker(account, cfg) {
      if (cfg?.type !== 'mqtt') return
      const { ip: hostname, port } = cfg.parameters
      await checkHosts(objectionTo, account, [{ path: 'body.telemetry_cfg.parameters.ip', hostname, port }])
    },
  }
}
