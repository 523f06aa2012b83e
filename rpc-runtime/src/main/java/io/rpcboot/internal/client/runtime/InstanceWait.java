package io.rpcboot.internal.client.runtime;

/**
 * Time that the calls of a reference wait for an instance.
 *
 * @param nanos longest wait for a registry or after a loss, 0 to fail at once
 * @param isDefault true if no setting says it: then calls also wait for the outcome of
 * the first attempt to connect, as long as that may take
 */
public record InstanceWait(long nanos, boolean isDefault) {
}
