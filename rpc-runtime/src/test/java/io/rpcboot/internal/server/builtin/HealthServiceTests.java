package io.rpcboot.internal.server.builtin;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.server.access.AccessDenial;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the health service, with protobuf-java as the client. */
class HealthServiceTests {

	private static final FileDescriptor FILE = BuiltFiles
		.build(List.of(ByteString.copyFrom(ServerDescriptor.health().file().descriptor())));

	private static final Descriptor REQUEST = FILE.findMessageTypeByName("HealthCheckRequest");

	private static final Descriptor RESPONSE = FILE.findMessageTypeByName("HealthCheckResponse");

	/** Changes that are to be sent. */
	private final Queue<Runnable> changes = new ArrayDeque<>();

	private static final ServiceId USERS = new ServiceId("com.acme.Users", "2", "");

	private static final ServiceId ORDERS = new ServiceId("com.acme.OrdersImpl", "", "");

	private final HealthService health = new HealthService(
			Map.of("com.acme.Users", List.of(USERS), "com.acme.Orders", List.of(ORDERS)), this.changes::add);

	private void sendChanges() {
		while (!this.changes.isEmpty()) {
			this.changes.remove().run();
		}
	}

	private static byte[] request(String service) {
		return DynamicMessage.newBuilder(REQUEST)
			.setField(REQUEST.findFieldByName("service"), service)
			.build()
			.toByteArray();
	}

	private StreamHandler.Requests begin(String method, RecordingResponses responses) {
		return this.health.handlers().get("/grpc.health.v1.Health/" + method).begin(responses);
	}

	/** Sends one request from the middle of a larger array. */
	private StreamHandler.Requests send(String method, byte[] request, RecordingResponses responses) {
		byte[] larger = new byte[request.length + 9];
		System.arraycopy(request, 0, larger, 4, request.length);
		StreamHandler.Requests requests = begin(method, responses);
		requests.onMessage(larger, 4, request.length);
		requests.onHalfClose();
		return requests;
	}

	private RecordingResponses check(String service) {
		RecordingResponses responses = new RecordingResponses();
		send("Check", request(service), responses).onEnd();
		return responses;
	}

	private String checked(String service) {
		RecordingResponses responses = check(service);
		assertThat(responses.status).isEqualTo(RpcStatus.OK);
		assertThat(responses.messages).hasSize(1);
		return statuses(responses).get(0);
	}

	private static List<String> statuses(RecordingResponses responses) {
		List<String> statuses = new ArrayList<>();
		for (byte[] each : responses.messages) {
			try {
				statuses.add(((EnumValueDescriptor) DynamicMessage.parseFrom(RESPONSE, each)
					.getField(RESPONSE.findFieldByName("status"))).getName());
			}
			catch (InvalidProtocolBufferException ex) {
				throw new AssertionError(ex);
			}
		}
		return statuses;
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "com.acme.Users", "com.acme.Orders", "readiness" })
	void check_followsTheReadiness(String service) {
		assertThat(checked(service)).isEqualTo("NOT_SERVING");
		this.health.ready(true);
		assertThat(checked(service)).isEqualTo("SERVING");
		this.health.ready(false);
		assertThat(checked(service)).isEqualTo("NOT_SERVING");
		this.health.ready(true);
		this.health.close();
		assertThat(checked(service)).isEqualTo("NOT_SERVING");
	}

	/** Returns the response of List. */
	private Map<String, String> listed() throws InvalidProtocolBufferException {
		RecordingResponses responses = new RecordingResponses();
		send("List", new byte[0], responses).onEnd();
		assertThat(responses.status).isEqualTo(RpcStatus.OK);
		assertThat(responses.messages).hasSize(1);
		Descriptor type = FILE.findMessageTypeByName("HealthListResponse");
		DynamicMessage response = DynamicMessage.parseFrom(type, responses.messages.get(0));
		assertThat(response.getUnknownFields().asMap()).isEmpty();
		Map<String, String> statuses = new LinkedHashMap<>();
		for (Object each : (List<?>) response.getField(type.findFieldByName("statuses"))) {
			Message entry = (Message) each;
			Descriptor entryType = entry.getDescriptorForType();
			Message value = (Message) entry.getField(entryType.findFieldByName("value"));
			statuses.put((String) entry.getField(entryType.findFieldByName("key")),
					((EnumValueDescriptor) value.getField(value.getDescriptorForType().findFieldByName("status")))
						.getName());
		}
		return statuses;
	}

	@Test
	void list_hasTheStatusOfEachName() throws InvalidProtocolBufferException {
		assertThat(listed()).containsOnlyKeys("", "com.acme.Orders", "com.acme.Users", "liveness", "readiness")
			.containsEntry("liveness", "SERVING")
			.containsEntry("com.acme.Users", "NOT_SERVING");
		this.health.ready(true);
		assertThat(listed()).hasSize(5).containsValues("SERVING").doesNotContainValue("NOT_SERVING");
		this.health.fail();
		assertThat(listed()).doesNotContainValue("SERVING");
	}

	@Test
	void liveness_endsWithAFailureOnly() {
		assertThat(checked("liveness")).isEqualTo("SERVING");
		this.health.ready(true);
		this.health.ready(false);
		this.health.close();
		assertThat(checked("liveness")).isEqualTo("SERVING");
		this.health.fail();
		assertThat(checked("liveness")).isEqualTo("NOT_SERVING");
	}

	@Test
	void applicationRestoresTheLiveness_butNotAfterAFailure() {
		RecordingResponses watch = new RecordingResponses();
		send("Watch", request("liveness"), watch);
		for (int i = 0; i < 2; i++) {
			this.health.live(false);
			assertThat(checked("liveness")).isEqualTo("NOT_SERVING");
			sendChanges();
			this.health.live(true);
			assertThat(checked("liveness")).isEqualTo("SERVING");
			sendChanges();
		}
		this.health.fail();
		this.health.live(true);
		sendChanges();
		assertThat(statuses(watch)).containsExactly("SERVING", "NOT_SERVING", "SERVING", "NOT_SERVING", "SERVING",
				"NOT_SERVING");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "com.acme.Users", "readiness" })
	void otherNames_serve_whileTheApplicationAcceptsTraffic(String service) {
		RecordingResponses watch = new RecordingResponses();
		this.health.accepting(false);
		send("Watch", request(service), watch);
		this.health.ready(true);
		sendChanges();
		this.health.accepting(true);
		sendChanges();
		this.health.live(false);
		sendChanges();
		this.health.accepting(false);
		sendChanges();
		assertThat(statuses(watch)).containsExactly("NOT_SERVING", "SERVING", "NOT_SERVING");
	}

	@Test
	void oneService_isNotServing_forCheckWatchAndList() throws InvalidProtocolBufferException {
		RecordingResponses watch = new RecordingResponses();
		RecordingResponses other = new RecordingResponses();
		this.health.ready(true);
		send("Watch", request("com.acme.Users"), watch);
		send("Watch", request("com.acme.Orders"), other);
		this.health.serving("com.acme.Users", false);
		sendChanges();
		assertThat(checked("com.acme.Users")).isEqualTo("NOT_SERVING");
		assertThat(List.of(checked("com.acme.Orders"), checked(""), checked("readiness"))).containsOnly("SERVING");
		assertThat(listed()).containsEntry("com.acme.Users", "NOT_SERVING").containsEntry("com.acme.Orders", "SERVING");
		this.health.ready(false);
		this.health.ready(true);
		this.health.serving("com.acme.Users", true);
		sendChanges();
		assertThat(statuses(watch)).containsExactly("SERVING", "NOT_SERVING", "SERVING");
		assertThat(statuses(other)).containsExactly("SERVING");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "liveness", "readiness", "com.acme.Other", "com.acme.users" })
	void onlyOfferedServices_haveAStatusToSet(String service) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> this.health.serving(service, false))
			.withMessage("health: '%s' is not offered over gRPC (expected: one of [com.acme.Orders, com.acme.Users])",
					service);
	}

	@Test
	void failure_endsTheReadiness() {
		this.health.ready(true);
		this.health.fail();
		assertThat(checked("")).isEqualTo("NOT_SERVING");
		assertThat(checked("com.acme.Users")).isEqualTo("NOT_SERVING");
	}

	@ParameterizedTest
	@ValueSource(strings = { "com.acme.Other", "Users", "com.acme.users", " ", "liveness " })
	void check_ofAnUnknownService_isNotFound(String service) {
		RecordingResponses responses = check(service);
		assertThat(responses.status).isEqualTo(RpcStatus.NOT_FOUND);
		assertThat(responses.text).contains("'" + service + "'");
		assertThat(responses.messages).isEmpty();
	}

	@Test
	void unknownService_isShownCutAndPrintable() {
		String text = check("a\n" + "b".repeat(10_000)).text;
		assertThat(text).contains("'a b").hasSizeLessThan(500);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Check", "Watch" })
	void emptyMessage_asksForTheServer(String method) {
		RecordingResponses responses = new RecordingResponses();
		send(method, new byte[0], responses);
		assertThat(statuses(responses)).containsExactly("NOT_SERVING");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Check", "Watch" })
	void unknownFields_areSkipped(String method) {
		this.health.ready(true);
		byte[] request = FieldWriter.toByteArray(FieldWriter.integer(1, 7), FieldWriter.text(2, "other"),
				FieldWriter.text(1, "first"), FieldWriter.integer(3, 1), FieldWriter.text(1, "com.acme.Users"),
				FieldWriter.text(9999, "last"));
		RecordingResponses responses = new RecordingResponses();
		send(method, request, responses);
		assertThat(statuses(responses)).containsExactly("SERVING");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Check", "List", "Watch" })
	void callWithoutRequest_fails(String method) {
		RecordingResponses responses = new RecordingResponses();
		begin(method, responses).onHalfClose();
		assertThat(responses.status).isEqualTo(RpcStatus.UNIMPLEMENTED);
		assertThat(responses.text).isEqualTo("no request (expected: one)");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Check", "List", "Watch" })
	void callWithTwoRequests_fails(String method) {
		RecordingResponses responses = new RecordingResponses();
		StreamHandler.Requests requests = begin(method, responses);
		requests.onMessage(request(""), 0, 0);
		requests.onMessage(request(""), 0, 0);
		assertThat(responses.status).isEqualTo(RpcStatus.UNIMPLEMENTED);
		assertThat(responses.messages).isEmpty();
	}

	static Stream<byte[]> malformed() {
		return Stream.of(new byte[] { 10 }, new byte[] { 10, 5, 'a' }, new byte[] { 10, 1, (byte) 0xFF },
				new byte[] { 0 }, new byte[] { 10, -1, -1, -1, -1, 15 }, new byte[] { 15, 1 },
				new byte[] { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 }, request("a".repeat(16 * 1024)));
	}

	@ParameterizedTest
	@MethodSource("malformed")
	void malformedRequest_isAnInvalidArgument(byte[] request) {
		for (String method : List.of("Check", "List", "Watch")) {
			RecordingResponses responses = new RecordingResponses();
			send(method, request, responses).onEnd();
			assertThat(responses.status).isEqualTo(RpcStatus.INVALID_ARGUMENT);
			assertThat(responses.text).startsWith("request: ");
			assertThat(responses.messages).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "com.acme.Users", "readiness" })
	void watch_receivesTheStatusAndEachChange(String service) {
		RecordingResponses responses = new RecordingResponses();
		send("Watch", request(service), responses);
		assertThat(statuses(responses)).containsExactly("NOT_SERVING");
		this.health.ready(true);
		assertThat(responses.messages).hasSize(1); // the changing thread does not send
		sendChanges();
		this.health.ready(true);
		sendChanges();
		assertThat(statuses(responses)).containsExactly("NOT_SERVING", "SERVING");
		this.health.fail();
		this.health.ready(false);
		sendChanges();
		assertThat(statuses(responses)).containsExactly("NOT_SERVING", "SERVING", "NOT_SERVING");
		assertThat(responses.status).isNull();
	}

	@Test
	void watch_missesChangesThatWereRevoked() {
		RecordingResponses responses = new RecordingResponses();
		send("Watch", request(""), responses);
		this.health.ready(true);
		this.health.ready(false);
		sendChanges();
		assertThat(statuses(responses)).containsExactly("NOT_SERVING");
	}

	@Test
	void watchOfAnUnknownService_staysOpen() {
		RecordingResponses responses = new RecordingResponses();
		send("Watch", request("com.acme.Other"), responses);
		this.health.ready(true);
		sendChanges();
		assertThat(statuses(responses)).containsExactly("SERVICE_UNKNOWN");
		assertThat(responses.status).isNull();
	}

	@Test
	void watchOfTheLiveness_receivesTheFailureOnly() {
		RecordingResponses responses = new RecordingResponses();
		send("Watch", request("liveness"), responses);
		this.health.ready(true);
		this.health.fail();
		sendChanges();
		assertThat(statuses(responses)).containsExactly("SERVING", "NOT_SERVING");
	}

	@Test
	void watchThatHasEnded_receivesNothing() {
		RecordingResponses responses = new RecordingResponses();
		RecordingResponses other = new RecordingResponses();
		StreamHandler.Requests requests = send("Watch", request(""), responses);
		send("Watch", request(""), other);
		requests.onEnd();
		this.health.ready(true);
		sendChanges();
		assertThat(statuses(responses)).containsExactly("NOT_SERVING");
		assertThat(statuses(other)).containsExactly("NOT_SERVING", "SERVING");
	}

	/**
	 * The caller may know of Users, and of those that do not exist or of all only with
	 * Orders.
	 */
	@ParameterizedTest
	@CsvSource({ "Check, '', OK", "Check, liveness, OK", "Check, readiness, OK", "Check, com.acme.Users, OK",
			"Check, com.acme.Orders, PERMISSION_DENIED", "Check, com.acme.Missing, PERMISSION_DENIED",
			"Watch, com.acme.Users, ", "Watch, '', ", "Watch, com.acme.Orders, PERMISSION_DENIED",
			"Watch, com.acme.Missing, PERMISSION_DENIED", "List, '', PERMISSION_DENIED" })
	void caller_learnsOnly_ofServicesThatItMayCall(String method, String service, RpcStatus status) {
		this.health.ready(true);
		RecordingResponses responses = new RecordingResponses();
		StreamHandler.Requests requests = this.health.handlers()
			.get("/grpc.health.v1.Health/" + method)
			.begin(responses, (asked) -> asked.equals(List.of(USERS)) ? null
					: new AccessDenial(RpcStatus.PERMISSION_DENIED, "no"));
		byte[] request = request(service);
		requests.onMessage(request, 0, request.length);
		requests.onHalfClose();
		assertThat(responses.status).isEqualTo(status);
		assertThat(responses.messages).hasSize((status == RpcStatus.PERMISSION_DENIED) ? 0 : 1);
		sendChanges();
		requests.onEnd();
	}

	@Test
	void shutdown_endsWatches() {
		this.health.ready(true);
		RecordingResponses responses = new RecordingResponses();
		send("Watch", request(""), responses);
		this.health.close();
		sendChanges();
		RecordingResponses later = new RecordingResponses();
		send("Watch", request(""), later);
		assertThat(statuses(responses)).containsExactly("SERVING", "NOT_SERVING");
		assertThat(statuses(later)).containsExactly("NOT_SERVING");
		assertThat(List.of(responses.status, later.status)).containsOnly(RpcStatus.UNAVAILABLE);
	}

	@Test
	void watches_receiveTheLastStatus_ifThreadsChangeItAtOnce() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		HealthService shared = new HealthService(Map.of(), threads);
		List<RecordingResponses> watches = Stream.generate(RecordingResponses::new).limit(100).toList();
		CountDownLatch changed = new CountDownLatch(2);
		for (int i = 0; i < 2; i++) {
			boolean first = i == 0;
			threads.execute(() -> {
				for (int j = 0; j < 1000; j++) {
					shared.ready((j % 2 == 0) == first);
				}
				changed.countDown();
			});
		}
		for (RecordingResponses each : watches) {
			StreamHandler.Requests requests = shared.handlers().get("/grpc.health.v1.Health/Watch").begin(each);
			requests.onMessage(new byte[0], 0, 0);
			requests.onHalfClose();
		}
		changed.await();
		shared.ready(true);
		shared.ready(false);
		shared.ready(true);
		threads.shutdown();
		assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
		for (RecordingResponses each : watches) {
			List<String> statuses = statuses(each);
			assertThat(statuses).endsWith("SERVING");
			for (int i = 1; i < statuses.size(); i++) {
				assertThat(statuses.get(i)).isNotEqualTo(statuses.get(i - 1));
			}
		}
	}

	@Test
	void descriptor_declaresTheService() {
		assertThat(FILE.getFullName()).isEqualTo("grpc/health/v1/health.proto");
		assertThat(FILE.findServiceByName("Health").findMethodByName("Watch").isServerStreaming()).isTrue();
		assertThat(FILE.findServiceByName("Health").findMethodByName("Watch").isClientStreaming()).isFalse();
		assertThat(FILE.findServiceByName("Health").findMethodByName("Check").isServerStreaming()).isFalse();
		assertThat(FILE.findServiceByName("Health").findMethodByName("List").isServerStreaming()).isFalse();
	}

}
