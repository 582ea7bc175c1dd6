import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '../controls/Button.tsx'
import { ErrorState } from '../display/EmptyState.tsx'

/** React offers no other way to catch what a component throws while it draws. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack)
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    return (
      <div className="p-6">
        <ErrorState error={this.state.error} onRetry={() => this.setState({ error: null })} />
        <p className="text-center text-muted">
          If this comes again, <Button onClick={() => location.reload()}>load the page anew</Button>
        </p>
      </div>
    )
  }
}
