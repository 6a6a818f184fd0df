/** Property tests run shortly with every test; `SVC_FUZZ_RUNS=20000` asks for the long form, which takes minutes. */
const asked = Number(process.env['SVC_FUZZ_RUNS'] ?? 0)

export const isLongForm = asked > 0
export const timeout = isLongForm ? 4 * 3_600_000 : 60_000

export function runs(short: number): number {
  return asked || short
}
