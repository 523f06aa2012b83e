package io.rpcboot.internal.protocol.grpc;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Random;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.resilience.RetryAdvice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

/** Tests attachments as header fields. */
class GrpcMetadataTests {

	private static final int LIMIT = 8192;

	private static Map<String, String> encode(Attachments attachments) {
		return GrpcMetadata.encode(attachments, LIMIT);
	}

	private static Attachments decode(String... namesAndValues) {
		GrpcMetadata metadata = new GrpcMetadata();
		for (int i = 0; i < namesAndValues.length; i += 2) {
			metadata.add(namesAndValues[i], namesAndValues[i + 1]);
		}
		return metadata.attachments();
	}

	private static Attachments sent(Attachments attachments) {
		GrpcMetadata metadata = new GrpcMetadata();
		encode(attachments).forEach(metadata::add);
		return metadata.attachments();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "acme", "a b", "a,b", "100%", "~!@#$^&*()", "00-4bf92f3577b34da6-00f067aa0ba902b7-01",
			"Bearer y235.wef315yfh138vh31hv93hv8h3v" })
	void printableAscii_isSentAsItIs(String value) {
		Attachments attachments = new Attachments().put("Tenant", value);
		assertThat(encode(attachments)).containsExactly(entry("tenant", value));
		assertThat(sent(attachments).asMap()).isEqualTo(attachments.asMap());
	}

	@ParameterizedTest
	@ValueSource(strings = { " ", " a", "a ", "gr\u00fc\u00df", "\u263a", "\ud83d\ude08", "a\u007f", "a\u00a0b" })
	void otherText_isSentAsBase64_andComesBack(String value) {
		Attachments attachments = new Attachments().put("tenant", value);
		assertThat(encode(attachments)).containsOnlyKeys("tenant-bin")
			.allSatisfy((name, text) -> assertThat(text).matches("[A-Za-z0-9+/]+"));
		assertThat(sent(attachments).get("tenant")).isEqualTo(value);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\t", "a\nb", "a\r\nb", "\u0000", "\u0085", "\ngr\u00fc\u00df" })
	void textWithControlCharacters_comesBack_alsoAsBytes(String value) {
		Attachments back = sent(new Attachments().put("tenant", value));
		assertThat(back.get("tenant")).isEqualTo(value);
		assertThat(back.getBytes("tenant-bin")).asString(StandardCharsets.UTF_8).isEqualTo(value);
		assertThat(sent(back).asMap()).as("passed on").isEqualTo(back.asMap());
	}

	@Test
	void bytesOfPeer_areBase64UnderTheirName() {
		byte[] bytes = { (byte) 0xab, (byte) 0xff, 0, 1 };
		for (String value : new String[] { "q/8AAQ", "q/8AAQ==" }) {
			Attachments received = decode("trace-proto-bin", value);
			assertThat(received.asMap()).containsOnlyKeys("trace-proto-bin");
			assertThat(received.getBytes("trace-proto-bin")).isEqualTo(bytes);
			assertThat(encode(received)).containsExactly(entry("trace-proto-bin", "q/8AAQ"));
		}
	}

	@Test
	void messageOfProtobuf_isFoundAsBytes_evenIfItIsUtf8() {
		byte[] message = { 0x0a, 3, 'a', 'b', 'c', 0x10, 7 };
		assertThat(decode("user-bin", Base64.getEncoder().encodeToString(message)).getBytes("user-bin"))
			.isEqualTo(message);
	}

	@Test
	void valuesOfAnotherBlock_areJoined_behindThoseOfTheFirst() {
		GrpcMetadata headers = new GrpcMetadata();
		headers.add("a", "1");
		headers.add("b", "2");
		GrpcMetadata trailers = new GrpcMetadata();
		trailers.add("b", "3");
		trailers.add("b", "4");
		trailers.add("c", "5");
		headers.addAll(trailers);
		assertThat(headers.attachments().asMap()).containsExactly(entry("a", "1"), entry("b", "2,3,4"),
				entry("c", "5"));
	}

	@Test
	void textOfPeer_isFoundWithoutSuffix() {
		assertThat(decode("tenant-bin", "YWNtZQ").asMap()).containsExactly(entry("tenant", "acme"));
		assertThat(decode("tenant-bin", "R3LDvMOf").asMap()).containsExactly(entry("tenant", "Gr\u00fc\u00df"));
	}

	@Test
	void putBytes_isBinaryFieldOfGrpc_underNameWithSuffix() {
		byte[] bytes = { 0, 1, (byte) 0xfe };
		Attachments attachments = new Attachments().putBytes("digest-bin", bytes).putBytes("other", bytes);
		assertThat(encode(attachments)).containsExactly(entry("digest-bin", "AAH+"), entry("other", "AAH+"));
		assertThat(sent(attachments).getBytes("digest-bin")).isEqualTo(bytes);
		assertThat(sent(attachments).getBytes("other")).isEqualTo(bytes);
	}

	@Test
	void textUnderNameWithSuffix_comesBack() {
		Attachments attachments = new Attachments().put("digest-bin", "no base64!");
		assertThat(encode(attachments)).containsExactly(entry("digest-bin-bin", "bm8gYmFzZTY0IQ"));
		assertThat(sent(attachments).asMap()).isEqualTo(attachments.asMap());
	}

	@ParameterizedTest
	@ValueSource(strings = { "host", "te", "content-type", "content-length", "user-agent", "connection", "upgrade",
			"transfer-encoding", "keep-alive", "proxy-connection" })
	void namesOfHttp_areSentAsBinary_andIgnoredWhenReceived(String name) {
		assertThat(decode(name, "x").isEmpty()).isTrue();
		Attachments attachments = new Attachments().put(name, "x");
		assertThat(encode(attachments)).containsExactly(entry(name + "-bin", "eA"));
		assertThat(sent(attachments).asMap()).isEqualTo(attachments.asMap());
	}

	@ParameterizedTest
	@ValueSource(strings = { ":path", ":authority", ":status", "grpc-timeout", "grpc-encoding", "grpc-trace-bin",
			"grpc-anything", "rpc-version", "rpc-group", "", "-bin", "_a", "-a", ".a", "a b", "A", "caf\u00e9", "a$b" })
	void reservedAndForeignNames_areIgnored(String name) {
		assertThat(decode(name, "YWJj").isEmpty()).isTrue();
	}

	@Test
	void longestName_mayHaveSuffix() {
		String name = "n".repeat(64);
		assertThat(sent(new Attachments().put(name, "\u263a")).get(name)).isEqualTo("\u263a");
		assertThat(decode(name + "n", "x").isEmpty()).isTrue();
	}

	@Test
	void namesOfGrpc_cannotBeSent() {
		Attachments required = new Attachments().put("grpc-tags", "x");
		assertThatIllegalArgumentException().isThrownBy(() -> encode(required))
			.withMessage("attachment 'grpc-tags' (expected: over gRPC, a name that begins neither with grpc- "
					+ "nor with rpc-)");
		assertThat(encode(new Attachments().putOptional("grpc-tags", "x").put("a", "b")))
			.containsExactly(entry("a", "b"));
	}

	@Test
	void repeatedValues_areJoined_inTheirOrder() {
		assertThat(decode("a", "1", "b", "x", "a", "2", "a", "", "a", "3").asMap())
			.containsExactly(entry("a", "1,2,,3"), entry("b", "x"));
		assertThat(decode("a-bin", "w6k,w7w= , YQ", "a", "z").get("a")).isEqualTo("\u00e9,\u00fc,a,z");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "YWI=,q/8AAQ==|YWI,q/8AAQ", "q/8AAQ==,|q/8AAQ,", "YWI=,Cg==|YWI,Cg" })
	void severalBytes_passOn_asTheyHaveArrived(String received, String sent) {
		Attachments attachments = decode("k-bin", received);
		assertThat(attachments.get("k-bin")).isEqualTo(received);
		assertThat(encode(attachments)).containsEntry("k-bin", sent);
	}

	@Test
	void repeatedValues_takeLinearTime() {
		GrpcMetadata metadata = new GrpcMetadata();
		for (int i = 0; i < 200_000; i++) {
			metadata.add("a", "12345678");
		}
		assertThat(metadata.attachments().get("a")).hasSize(200_000 * 9 - 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "*", "a", "YQ=", "Y Q", "YQ==YQ==", "-_", "\u00e9" })
	void malformedBase64_isRejected_withName(String value) {
		assertThatExceptionOfType(GrpcException.class).isThrownBy(() -> decode("token-bin", value))
			.withMessage("metadata token-bin (expected: Base64)")
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INTERNAL));
	}

	@Test
	void retryAdvice_isPushbackOfGrpc() {
		Attachments reply = new Attachments();
		RetryAdvice.notBefore(reply, Duration.ofMillis(250));
		assertThat(encode(reply)).containsExactly(entry("grpc-retry-pushback-ms", "250"));
		assertThat(RetryAdvice.of(sent(reply))).isEqualTo(250);
		RetryAdvice.never(reply);
		assertThat(RetryAdvice.of(sent(reply))).isEqualTo(-1);
		assertThat(encode(new Attachments().put(RetryAdvice.ATTACHMENT, "\u00e9")))
			.containsOnlyKeys("retry-pushback-ms-bin");
	}

	@Test
	void requiredAttachments_mustFit() {
		Attachments attachments = new Attachments().put("tenant", "acme").put("user", "\u00e9\u00e9");
		int size = (32 + 6 + 4) + (32 + 8 + 6);
		assertThat(GrpcMetadata.encode(attachments, size)).hasSize(2);
		assertThatIllegalArgumentException().isThrownBy(() -> GrpcMetadata.encode(attachments, size - 1))
			.withMessage("max-attachments-size: the attachments [tenant, user] take 88 bytes, 32 of them for each "
					+ "(expected: at most 87)");
	}

	@Test
	void optionalAttachments_areLeftOut_whereTheyDoNotFit() {
		Attachments attachments = new Attachments().putOptional("first", "x".repeat(50))
			.put("required", "x")
			.putOptional("large", "x".repeat(100))
			.putOptional("last", "x");
		int required = 32 + 8 + 1;
		int first = 32 + 5 + 50;
		int last = 32 + 4 + 1;
		assertThat(GrpcMetadata.encode(attachments, required)).containsOnlyKeys("required");
		assertThat(GrpcMetadata.encode(attachments, required + first - 1)).containsOnlyKeys("required", "last");
		assertThat(GrpcMetadata.encode(attachments, required + first + last)).containsOnlyKeys("required", "first",
				"last");
		assertThat(GrpcMetadata.encode(attachments, LIMIT)).hasSize(4);
	}

	@Test
	void nothing_isNoAttachments() {
		assertThat(encode(Attachments.none())).isEmpty();
		assertThat(decode()).isSameAs(Attachments.none());
	}

	@Test
	void randomAttachments_comeBack() {
		Random random = new Random(5);
		for (int i = 0; i < 2000; i++) {
			Attachments attachments = new Attachments();
			for (int count = random.nextInt(5); count > 0; count--) {
				String value = random.ints(random.nextInt(12), ' ', 0x3000)
					.map((each) -> random.nextBoolean() ? ' ' + each % 95 : (each >= 0x7f && each < 0xa0) ? 'x' : each)
					.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
					.toString();
				attachments.put("n" + random.nextInt(100), value);
			}
			assertThat(sent(attachments).asMap()).isEqualTo(attachments.asMap());
		}
	}

}
