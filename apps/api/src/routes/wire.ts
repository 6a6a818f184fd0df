/** JSON knows no readonly: a verb's readonly value is only written out. */
type Written<T> = T extends Date ? T : T extends object ? { -readonly [K in keyof T]: Written<T[K]> } : T

/** The boundary where readonly results meet the contract's plain arrays. */
export function wire<T>(value: T): Written<T> {
  return value as Written<T>
}
