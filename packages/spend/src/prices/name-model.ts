import { findModel, modelText, splitModelName } from '@svc/models'
import type { Db } from '@svc/db'
import { decidedFor, offersOf } from '../places/decided.ts'
import type { EnteredPlace } from '../places/enter.ts'

/** The one name of a model that people write in several ways. A bare one must be offered here. */
export async function nameModel(db: Db, entered: EnteredPlace, written: string): Promise<string> {
  const named = splitModelName(written)
  // A price may be set before its provider is.
  if (named !== null) return modelText(named)
  return modelText(findModel(written, offersOf(await decidedFor(db, entered))))
}
