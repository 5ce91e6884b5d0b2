/** Owns: keeping a failure inside the panel in which it happened. Not: how it looks. */
import { Component, type ReactNode } from "react";

type Props = {
  children: ReactNode;
  fallback: (error: Error, retry: () => void) => ReactNode;
};

export class PanelBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(thrown: unknown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return this.props.fallback(error, () => this.setState({ error: null }));
  }
}
