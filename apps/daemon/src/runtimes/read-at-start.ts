/** What every program reads of its environment when it starts. */
const byEvery = /^(XDG_.*|NODE_.*|SSL_CERT_.*|HOME|PATH|TMPDIR)$/

export const isReadByEvery = (variable: string): boolean => byEvery.test(variable)
