package io.rpcboot.benchmarks.workload;

import java.util.concurrent.CompletableFuture;

/**
 * The echo of a body of any size. All callers send the same array, which does not change.
 * Of the answer its length and a fixed number of bytes are compared, first and last among
 * them: comparing 4 MB would be a good part of what is measured.
 */
public final class PayloadEcho implements MeasuredCall {

	private static final int POSITIONS = 64;

	private final byte[] body;

	private final int step;

	/**
	 * Create the call.
	 * @param bytes size of the body, at least 1
	 */
	public PayloadEcho(int bytes) {
		if (bytes < 1) {
			throw new IllegalArgumentException("body: " + bytes + " bytes (expected: at least 1)");
		}
		this.body = new byte[bytes];
		for (int i = 0; i < bytes; i++) {
			this.body[i] = (byte) ((i * 0x9E3779B1) >>> 24); // bytes that were moved
																// differ
		}
		this.step = Math.max(bytes / POSITIONS, 1);
	}

	@Override
	public String label() {
		return BenchCall.ECHO.label();
	}

	@Override
	public Object invoke(BenchService service, int n) {
		return service.echo(this.body);
	}

	@Override
	public CompletableFuture<?> invokeAsync(BenchService service, int n) {
		return service.echoAsync(this.body);
	}

	@Override
	public boolean isRight(int n, Object answer) {
		byte[] bytes = (byte[]) answer;
		if (bytes.length != this.body.length) {
			return false;
		}
		for (int i = 0; i < bytes.length; i += this.step) {
			if (bytes[i] != this.body[i]) {
				return false;
			}
		}
		return bytes[bytes.length - 1] == this.body[bytes.length - 1];
	}

}
