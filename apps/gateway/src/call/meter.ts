import type { BaseContext } from '@svc/context'
import { loadTokenizer } from '@svc/models'
import {
  admitCall,
  type AdmittedCall,
  type Beats,
  type CallToAdmit,
  type CallToSettle,
  type RefusedCall,
  settleCall,
  startBeats,
} from '@svc/spend'

/** Admits and settles calls. */
export interface Meter {
  admit(call: CallToAdmit): Promise<AdmittedCall | RefusedCall>
  settle(call: CallToSettle): ReturnType<typeof settleCall>
  beats(): Beats
  close(): Promise<void>
}

/** The meter over the rows. It begins to renew calls with the first one. */
export function openMeter(ctx: Pick<BaseContext, 'db' | 'now' | 'newId' | 'log'>): Meter {
  let beats: Beats | null = null
  return {
    async admit(call) {
      const admission = await admitCall(ctx, call)
      // A stream that a budget pays for is cut by its tokens; until they can be counted, by its bytes.
      if (admission.outcome === 'granted' && admission.bounded)
        loadTokenizer().catch((err: unknown) => ctx.log.warn({ err }, 'the tokenizer could not be loaded'))
      return admission
    },
    settle: (call) => settleCall(ctx, call),
    beats: () => (beats ??= startBeats(ctx)),
    close: async () => beats?.close(),
  }
}
