package io.rpcboot.interceptor;

/**
 * Elements of the streams of one call at the server, so far.
 *
 * @param received elements that the method has taken from its caller, 0 if the caller
 * sends no stream
 * @param sent elements that came from the result of the method, 0 if the result is no
 * stream
 * @since 0.1.0
 */
public record StreamCounts(long received, long sent) {
}
