import type { BaseContext } from '@svc/context'
import { loadTokenizer } from '@svc/models'
import {
  admitCall,
  admitKnownCall,
  type AdmittedCall,
  type Beats,
  type CallToAdmit,
  type CallToSettle,
  type KnownCaller,
  type RefusedCall,
  settleCall,
  startBeats,
} from '@svc/spend'

/** Admits and settles calls. */
export interface Meter {
  admit(call: CallToAdmit): Promise<AdmittedCall | RefusedCall>
  /** Null where the caller is not as it was known. */
  admitKnown(caller: KnownCaller, call: CallToAdmit): Promise<AdmittedCall | RefusedCall | null>
  settle(call: CallToSettle): ReturnType<typeof settleCall>
  beats(): Beats
  close(): Promise<void>
}

/** The meter over the rows. It begins to renew calls with the first one. */
export function openMeter(ctx: Pick<BaseContext, 'db' | 'now' | 'newId' | 'log'>): Meter {
  let beats: Beats | null = null
  const counting = <Admission extends AdmittedCall | RefusedCall | null>(admission: Admission): Admission => {
    // A stream that a budget pays for is cut by its tokens; until they can be counted, by its bytes.
    if (admission?.outcome === 'granted' && admission.bounded)
      loadTokenizer().catch((err: unknown) => ctx.log.warn({ err }, 'the tokenizer could not be loaded'))
    return admission
  }
  return {
    admit: async (call) => counting(await admitCall(ctx, call)),
    admitKnown: async (caller, call) => counting(await admitKnownCall(ctx, caller, call)),
    settle: (call) => settleCall(ctx, call),
    beats: () => (beats ??= startBeats(ctx)),
    close: async () => beats?.close(),
  }
}
