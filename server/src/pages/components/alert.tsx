// A message about the whole form, read out at once by screen readers.

export function Alert({ id, message }: { id: string; message: string }) {
  return (
    <p class="gh-alert" id={id} role="alert">
      <bdi>{message}</bdi>
    </p>
  )
}
