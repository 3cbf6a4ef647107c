import { generateKeyPair, SignJWT } from 'jose'

// As many signatures are under way at once as requests are in the runs beside it.
const atOnce = 16

/** RS256 signatures of a token like ours per second, with nothing around them. */
export async function measureSigning(seconds: number): Promise<{ perSecond: number; processorMs: number }> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048 })
  const issuer = 'https://id.example.org/realms/small'
  const claims = { client_id: 'machine', scope: 'openid profile email', jti: '0'.repeat(43) }
  let done = 0
  const start = performance.now()
  const before = process.cpuUsage()
  const work = async () => {
    while (performance.now() - start < seconds * 1000) {
      const token = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'bench' })
      await token
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject('machine')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey)
      done++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const { user, system } = process.cpuUsage(before)
  return { perSecond: (done * 1000) / (performance.now() - start), processorMs: (user + system) / 1000 / done }
}
