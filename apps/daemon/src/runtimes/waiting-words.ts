/** Printed by a runtime's program that reads its environment from its standard input; one that never does cannot wait. */
export const waitsWord = 'svc-runtime waits'
/** Printed once it has the environment of its session. */
export const goesWord = 'svc-runtime goes'
/** In an environment that is for a rehearsal: that of the session comes later. */
export const rehearsalVariable = 'SVC_RUNTIME_REHEARSAL'
/** Printed once it can be asked for the rehearsal. */
export const rehearsesWord = 'svc-runtime rehearses'
