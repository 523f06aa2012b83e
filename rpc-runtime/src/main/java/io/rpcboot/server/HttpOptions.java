package io.rpcboot.server;

import io.rpcboot.transport.Options;

/**
 * Options of HTTP at a server, which gRPC and Connect use. Immutable. <pre>{@code
 * RpcServer.builder().http(HttpOptions.defaults().withMaxHeaderSize(32 * 1024))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class HttpOptions extends Options {

	private static final int LEAST = 1024;

	private static final int MOST = 1024 * 1024;

	private static final HttpOptions DEFAULTS = new HttpOptions();

	private int maxHeaderSize;

	private CorsOptions cors = CorsOptions.defaults();

	private UnknownFields unknownFields = UnknownFields.REFUSE;

	private HttpOptions() {
	}

	/**
	 * Treatment of properties in JSON that no field has, and of constants that no enum
	 * has.
	 *
	 * @since 0.1.0
	 */
	public enum UnknownFields {

		/** The call fails with INVALID_ARGUMENT and the path. */
		REFUSE,

		/** They are skipped, so that newer clients can call. */
		IGNORE

	}

	/**
	 * Returns the defaults: a header fits the longest attachments and credentials.
	 * @return the defaults
	 */
	public static HttpOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns a copy with another limit of the header of a request: of the names and the
	 * values of all fields, and 32 bytes for each field, as RFC 9113 counts them. Clients
	 * learn it as MAX_HEADER_LIST_SIZE; a longer header is answered with status 431.
	 * @param bytes from 1 KB to 1 MB; 0 for 4 KB and the longest attachments and, where
	 * credentials are read, those
	 * @return a copy
	 */
	public HttpOptions withMaxHeaderSize(int bytes) {
		require(bytes == 0 || (bytes >= LEAST && bytes <= MOST), "http.max-header-size", bytes,
				"1KB to 1MB, or 0 for one that fits attachments and credentials");
		return copy((changed) -> changed.maxHeaderSize = bytes);
	}

	/**
	 * Returns a copy with other pages that may call from a browser.
	 * @param options the options
	 * @return a copy
	 */
	public HttpOptions withCors(CorsOptions options) {
		return copy((changed) -> changed.cors = options);
	}

	/**
	 * Returns a copy with another treatment of properties in JSON that no field has.
	 * @param treatment the treatment
	 * @return a copy
	 */
	public HttpOptions withUnknownFields(UnknownFields treatment) {
		return copy((changed) -> changed.unknownFields = treatment);
	}

	/**
	 * Returns the treatment of properties in JSON that no field has.
	 * @return the treatment
	 */
	public UnknownFields unknownFields() {
		return this.unknownFields;
	}

	/**
	 * Returns the pages of other origins that may call from a browser.
	 * @return the options
	 */
	public CorsOptions cors() {
		return this.cors;
	}

	/**
	 * Returns the limit of the header of a request.
	 * @return bytes; 0 for one that fits the longest attachments and credentials
	 */
	public int maxHeaderSize() {
		return this.maxHeaderSize;
	}

}
