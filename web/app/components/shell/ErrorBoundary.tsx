import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '../controls/Button.tsx'
import { ErrorState } from '../display/EmptyState.tsx'

interface Props {
  children: ReactNode
  /** When it changes, such as to another path, rendering is tried again. */
  resetKey?: string
}

/** A class, since React has no other way to catch errors thrown while rendering. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack)
  }

  override componentDidUpdate({ resetKey }: Props): void {
    if (resetKey !== this.props.resetKey && this.state.error !== null) this.setState({ error: null })
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    return (
      <div className="p-6">
        <ErrorState error={this.state.error} onRetry={() => this.setState({ error: null })} />
        <p className="text-center text-muted">
          If the error persists: <Button onClick={() => location.reload()}>Reload</Button>
        </p>
      </div>
    )
  }
}
