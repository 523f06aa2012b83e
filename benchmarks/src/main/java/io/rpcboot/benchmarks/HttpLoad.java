package io.rpcboot.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests of one cell of JSON, by {@code h2load}; and one of them by {@code nghttp} or
 * the client of the JDK, whose bytes are compared.
 */
final class HttpLoad {

	private static final String CONTENT_TYPE = "content-type: application/json";

	private static final Pattern SPEED = Pattern.compile("finished in [^,]*, ([0-9.]+) req/s");

	private static final Pattern DONE = Pattern.compile("([0-9]+) done,");

	private static final Pattern ERRORED = Pattern.compile("([0-9]+) errored");

	private static final Pattern STATUS = Pattern.compile("status codes: ([0-9]+) 2xx, ([^\\n]*5xx)");

	private static final Pattern DATA = Pattern.compile("\\(([0-9]+)\\) data");

	private static final int STATUS_OK = 200;

	private final JsonCell cell;

	private final String port;

	private final Path body;

	/**
	 * Create it.
	 * @param port where the server listens
	 * @param output where the body of the request is written
	 */
	HttpLoad(JsonCell cell, String port, Path output) throws IOException {
		this.cell = cell;
		this.port = port;
		this.body = output.resolve(cell.method() + ".json");
		Files.writeString(this.body, cell.body());
	}

	/**
	 * Makes one call.
	 * @return bytes of the answer
	 * @throws BenchmarkException if its status is not 200
	 */
	byte[] once() throws IOException, InterruptedException {
		return this.cell.http2() ? onceHttp2() : onceHttp1();
	}

	private byte[] onceHttp1() throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.cell.url(this.port)))
			.version(HttpClient.Version.HTTP_1_1)
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofFile(this.body))
			.build();
		HttpResponse<byte[]> response = HttpClient.newHttpClient()
			.send(request, HttpResponse.BodyHandlers.ofByteArray());
		if (response.statusCode() != STATUS_OK) {
			throw new BenchmarkException(this.cell + ": status " + response.statusCode() + " with "
					+ new String(response.body(), StandardCharsets.UTF_8) + " (expected: 200)");
		}
		return response.body();
	}

	/** A failure has another body, so the status need not be looked at. */
	private byte[] onceHttp2() throws IOException, InterruptedException {
		Process process = new ProcessBuilder("nghttp", "-H", CONTENT_TYPE, "-H", ":method: POST", "-d",
				this.body.toString(), this.cell.url(this.port))
			.start();
		byte[] answer = process.getInputStream().readAllBytes();
		process.waitFor();
		return answer;
	}

	/**
	 * Makes calls, 32 at a time.
	 * @param calls how many
	 * @param answer bytes of each answer
	 * @return calls per second
	 * @throws BenchmarkException if an answer has another status or length
	 */
	double run(int calls, int answer) throws IOException, InterruptedException {
		String atATime = String.valueOf(Math.min(calls, JsonCell.REQUESTS_AT_A_TIME));
		List<String> command = new ArrayList<>(List.of(H2Load.NAME, "-n", String.valueOf(calls), "-t", "1", "-d",
				this.body.toString(), "-H", CONTENT_TYPE));
		command
			.addAll(this.cell.http2() ? List.of("-c", "1", "-m", atATime) : List.of("--h1", "-c", atATime, "-m", "1"));
		command.add(this.cell.url(this.port));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		return parse(output, this.cell.http2(), calls, answer);
	}

	/**
	 * Reads what the tool prints. Of HTTP/1.1 it sees no status where a server leaves out
	 * the reason phrase, as Tomcat does; then the lengths of the answers have to do.
	 * @return calls per second
	 * @throws BenchmarkException if not every call was answered with 2xx and an answer of
	 * this length
	 */
	static double parse(String output, boolean http2, int calls, int answer) {
		Matcher status = STATUS.matcher(output);
		if (number(DONE, output) == calls && number(ERRORED, output) == 0
				&& number(DATA, output) == (double) calls * answer && status.find()) {
			int ok = Integer.parseInt(status.group(1));
			boolean unseen = !http2 && ok == 0 && status.group(2).equals("0 3xx, 0 4xx, 0 5xx");
			if (ok == calls || unseen) {
				return number(SPEED, output);
			}
		}
		throw new BenchmarkException(H2Load.NAME + ": " + output.replaceAll("\\s+", " ") + " (expected: " + calls
				+ " answers with 2xx and " + answer + " bytes each)");
	}

	private static double number(Pattern pattern, String output) {
		Matcher matcher = pattern.matcher(output);
		return matcher.find() ? Double.parseDouble(matcher.group(1)) : -1;
	}

	/**
	 * Compares an answer with that of the first system.
	 * @throws BenchmarkException if it differs
	 */
	void compare(byte[] expected, byte[] answer) {
		if (!Arrays.equals(expected, answer)) {
			throw new BenchmarkException(this.cell + ": " + new String(answer, StandardCharsets.UTF_8) + " (expected: "
					+ new String(expected, StandardCharsets.UTF_8) + ")");
		}
	}

}
