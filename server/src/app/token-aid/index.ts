// `gatehouse token …`: decodes and verifies a token against its realm, says why a request was refused, and gets a token to try.
// A debugging aid for integrators: it needs no database and no configuration, and speaks with the realm over HTTP alone.
// Called by app/cli.ts; the meaning of error codes comes from platform/errors/oauth.
import { runExplain, runInspect, runRequest } from './commands.ts'
import { type AidIo, processIo, UsageError } from './io.ts'
import { toPlainText } from './paint.ts'
import { RemoteError } from './remote.ts'

export const tokenUsage = `gatehouse token <command>

  inspect <token|->        say what a token is, what is in it and whether it is good; - reads it from standard input
    --issuer URL           the issuer you trust (otherwise the one the token names)
    --audience URI         your API, or your client_id for an ID token
    --client CLIENT_ID     the client it must have been given to
    --scope "A B"          scopes it must have
    --nonce VALUE          the nonce of the request, for an ID token
    --as KIND              access-token, id-token, logout-token, client-assertion, dpop-proof or request-object
    --dpop-proof JWT --method GET --url URL
                           the proof that came with it, and the request it came with
    --offline              fetch nothing: everything but the signature
  explain <error> [description]
  explain --url 'https://app.example/callback?error=…'
                           say why a request was refused; an answer may also be piped in
  request --issuer URL --client CLIENT_ID [--grant client_credentials|device]
                           get a token and inspect it
    --scope "A B"  --resource URI  --auth basic|post
    --secret-stdin         read the secret from standard input; otherwise GATEHOUSE_CLIENT_SECRET, or none
    --raw                  print the access token and nothing else

All take --json. Exit codes: 0 good, 1 a check failed or the request was refused, 2 the command cannot be understood.
`

const commands: Record<string, (io: AidIo, args: string[]) => Promise<number>> = {
  inspect: runInspect,
  explain: runExplain,
  request: runRequest,
}

export async function runTokenAid(args: string[], io: AidIo = processIo()): Promise<number> {
  const [command = 'help', ...rest] = args
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (!run || rest.includes('--help')) {
    io.print(tokenUsage.trimEnd())
    return command === 'help' || rest.includes('--help') ? 0 : 2
  }
  try {
    return await run(io, rest)
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof RemoteError)) throw error
    io.tell(`gatehouse token ${command}: ${toPlainText(error.message)}`)
    return error instanceof UsageError ? 2 : 1
  }
}
