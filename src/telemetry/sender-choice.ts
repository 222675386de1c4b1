import { type VendorSender } from './vendor-format.ts'

/**
 * Several aircraft may speak on one topic. Their messages are never mixed: the first one heard is followed, until it was
 * silent for a while. Aircraft and gateways are named differently and chosen apart.
 */
export interface SenderChoice {
  /** `instead`: it takes the place of one that is silent, and nothing that the other said holds any more. */
  judge(sender: VendorSender, nowMs: number): 'followed' | 'instead' | 'other'
}

const silenceMs = 30_000

export function createSenderChoice(): SenderChoice {
  const chosen = new Map<boolean, { readonly serialNumber: string; readonly heardAtMs: number }>()
  return {
    judge({ serialNumber, isGateway }, nowMs) {
      const current = chosen.get(isGateway)
      const isOther = current !== undefined && current.serialNumber !== serialNumber
      if (isOther && nowMs - current.heardAtMs < silenceMs) return 'other'
      chosen.set(isGateway, { serialNumber, heardAtMs: nowMs })
      return isOther ? 'instead' : 'followed'
    },
  }
}
