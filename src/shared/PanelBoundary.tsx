/** Owns: keeping a failure inside the panel in which it happened. Not: how it looks. */
import { Component, type ReactNode } from "react";

type Props = {
  children: ReactNode;
  fallback: (error: Error, retry: () => void) => ReactNode;
  /** What the children are asked for: when it changes, a failure of before is none of it. */
  resetOn?: string;
};

type State = { error: Error | null; askedOn: string | undefined };

export class PanelBoundary extends Component<Props, State> {
  override state: State = { error: null, askedOn: undefined };

  static getDerivedStateFromError(thrown: unknown): Partial<State> {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  static getDerivedStateFromProps({ resetOn }: Props, { askedOn }: State): Partial<State> | null {
    return resetOn === askedOn ? null : { error: null, askedOn: resetOn };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return this.props.fallback(error, () => this.setState({ error: null }));
  }
}
