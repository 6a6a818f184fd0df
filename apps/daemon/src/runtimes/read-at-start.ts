/** Variables that every program reads when it starts. */
const byEvery = /^(XDG_.*|NODE_.*|SSL_CERT_.*|HOME|PATH|TMPDIR)$/

export const isReadByEvery = (variable: string): boolean => byEvery.test(variable)
