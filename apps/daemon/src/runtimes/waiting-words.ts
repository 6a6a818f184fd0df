/** Printed by a runtime's program that reads its environment from its standard input; one that never does cannot wait. */
export const waitsWord = 'svc-runtime waits'
/** Printed once it has the environment. */
export const goesWord = 'svc-runtime goes'
