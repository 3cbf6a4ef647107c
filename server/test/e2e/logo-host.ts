// A host with a logo on it, as a tenant would have one: https with a certificate, on an address the operator allowed.

import 'reflect-metadata'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

export interface LogoHost {
  url: string
  close(): void
}

export async function startLogoHost(png: Buffer): Promise<LogoHost> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Logo host of a test',
    keys,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  })
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`
  const cert = certificate.toString('pem')
  const trusted = getCACertificates('default')
  // The service checks certificates as always; this one is trusted as a company's own authority would be.
  setDefaultCACertificates([...trusted, cert])
  const server = createServer({ key, cert }, (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(png),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/logo.png`,
    close() {
      setDefaultCACertificates(trusted)
      server.closeAllConnections()
      server.close()
    },
  }
}
