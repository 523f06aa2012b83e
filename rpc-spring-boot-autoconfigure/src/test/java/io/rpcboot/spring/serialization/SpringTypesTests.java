package io.rpcboot.spring.serialization;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.Delegate;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.core.io.Resource;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageImpl;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.SliceImpl;
import org.springframework.data.domain.Sort;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.CollectionUtils;
import org.springframework.util.LinkedCaseInsensitiveMap;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MimeType;
import org.springframework.util.MultiValueMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Types of Spring, with every serializer: alone, in containers and in a record. */
public class SpringTypesTests {

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(Service.class);

	private static final Sort SORT = Sort.by(Sort.Order.desc("name").ignoreCase(), Sort.Order.asc("id").nullsLast());

	private static final PageRequest SECOND = PageRequest.of(1, 2, SORT);

	static Stream<Serializer> serializers() {
		TypeOptions types = TypeOptions.NONE;
		for (Delegate<?, ?> each : SpringTypes.delegates(null)) {
			types = types.withDelegate(each);
		}
		return Stream.of(new ProtostuffSerializer(types), new JacksonSerializer(types));
	}

	private static MethodCodec codec(Serializer serializer, String method) {
		return serializer.codec(SERVICE)
			.method(SERVICE.methods()
				.stream()
				.filter((each) -> each.name().equals(method))
				.mapToInt(MethodDescriptor::number)
				.findFirst()
				.orElseThrow());
	}

	@SuppressWarnings("unchecked")
	private static <T> T echo(Serializer serializer, String method, T value) {
		MethodCodec codec = codec(serializer, method);
		byte[] result = written((out) -> codec.serializeResult(value, out));
		byte[] arguments = written((out) -> codec.serializeArguments(new Object[] { value }, out));
		T argument = (T) codec.deserializeArguments(arguments, 0, arguments.length)[0];
		assertThat(argument).isEqualTo(codec.deserializeResult(result, 0, result.length));
		return argument;
	}

	private static byte[] written(Consumer<OutputBuffer> writer) {
		OutputBuffer out = new OutputBuffer(new byte[1], 1 << 16);
		writer.accept(out);
		return out.toByteArray();
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void page_isCarried(Serializer serializer) {
		for (Page<User> each : List.of(new PageImpl<>(List.of(new User("a"), new User("b")), SECOND, 7),
				new PageImpl<>(Arrays.asList(new User("a"), null)), Page.<User>empty(), Page.<User>empty(SECOND),
				new OwnPage(List.of(new User("c")), SECOND, 3))) {
			Page<User> page = echo(serializer, "page", each);
			assertThat(page).isExactlyInstanceOf(PageImpl.class);
			assertThat(page.getContent()).isEqualTo(each.getContent());
			assertThat(page.getPageable()).isEqualTo(each.getPageable());
			assertThat(page.getTotalElements()).isEqualTo(each.getTotalElements());
			assertThat(page.hasNext()).isEqualTo(each.hasNext());
			assertThat(echo(serializer, "slice", each)).isEqualTo(page);
		}
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void slice_isCarried(Serializer serializer) {
		for (boolean hasNext : List.of(true, false)) {
			Slice<User> slice = new SliceImpl<>(List.of(new User("a")), SECOND, hasNext);
			assertThat(echo(serializer, "slice", slice)).isExactlyInstanceOf(SliceImpl.class).isEqualTo(slice);
		}
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void pageable_isCarried_inContainersAndRecords(Serializer serializer) {
		List<Pageable> all = Arrays.asList(SECOND, PageRequest.of(0, 1), Pageable.unpaged(), Pageable.unpaged(SORT),
				null);
		assertThat(echo(serializer, "pageables", all)).isEqualTo(all);
		for (Pageable each : all) {
			assertThat(echo(serializer, "pageable", each)).isEqualTo(each);
			Query query = new Query("q", each, SORT, null, null);
			assertThat(echo(serializer, "query", query)).isEqualTo(query);
		}
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void sort_keepsOrder(Serializer serializer) {
		for (Sort each : List.of(SORT, Sort.unsorted(), Sort.by("b", "a"), new OwnSort(SORT.toList()))) {
			Sort sort = echo(serializer, "sort", each);
			assertThat(sort.toList()).isEqualTo(each.toList());
		}
		assertThat(echo(serializer, "sort", SORT)).isEqualTo(SORT);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void multiValueMap_isCarried(Serializer serializer) {
		MultiValueMap<String, Integer> map = new LinkedMultiValueMap<>();
		map.addAll("b", List.of(1, 2));
		map.add("B", 3);
		map.add(null, null);
		map.put("none", new ArrayList<>());
		MultiValueMap<String, Integer> arrived = echo(serializer, "values", map);
		assertThat(arrived).isInstanceOf(LinkedMultiValueMap.class).isEqualTo(map);
		assertThat(arrived.keySet()).containsExactly("b", "B", null, "none");
		arrived.add("b", 4);
		assertThat(arrived.get("b")).containsExactly(1, 2, 4);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void httpHeaders_stayCaseInsensitive(Serializer serializer) {
		HttpHeaders headers = new HttpHeaders();
		headers.add("Content-Type", "text/plain");
		headers.addAll("x-many", List.of("1", "2"));
		for (HttpHeaders each : List.of(headers, HttpHeaders.readOnlyHttpHeaders(headers), new HttpHeaders())) {
			HttpHeaders arrived = echo(serializer, "headers", each);
			assertThat(arrived).isExactlyInstanceOf(HttpHeaders.class).isEqualTo(each);
			assertThat(arrived.headerNames()).containsExactlyElementsOf(each.headerNames());
			assertThat(arrived.getFirst("CONTENT-TYPE")).isEqualTo(each.getFirst("Content-Type"));
			arrived.add("X-Many", "3");
			assertThat(arrived.get("x-many")).endsWith("3");
		}
		Query query = new Query("q", null, null, headers, HttpStatusCode.valueOf(299));
		assertThat(echo(serializer, "query", query)).isEqualTo(query);
		assertThat(echo(serializer, "status", Map.<String, HttpStatusCode>of("a", HttpStatus.NOT_FOUND)))
			.isEqualTo(Map.of("a", HttpStatus.NOT_FOUND));
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "text/plain;charset=utf-8", "text/plain;charset=UTF-8;format=flowed",
			"application/json;q=0.5", "multipart/form-data;boundary=\"a b\"", "*/*", "application/*+json",
			"application/vnd.acme.order+json;version=2", "text/event-stream;CHARSET=utf-8",
			"image/png;name=\"a;b,c.png\"" })
	void mediaType_keepsItsParameters(String text) {
		MediaType type = MediaType.parseMediaType(text);
		serializers().forEach((each) -> {
			MediaType arrived = echo(each, "type", type);
			assertThat(arrived).isExactlyInstanceOf(MediaType.class).isEqualTo(type).hasToString(type.toString());
			assertThat(arrived.getCharset()).isEqualTo(type.getCharset());
			assertThat(arrived.getParameter("CharSet")).as("found in any case").isEqualTo(type.getParameter("charset"));
			Content content = new Content(type, MimeType.valueOf(text), HttpMethod.PUT);
			assertThat(echo(each, "content", content)).isEqualTo(content);
			assertThat(echo(each, "types", Map.of(type, List.of(type)))).isEqualTo(Map.of(type, List.of(type)));
			MimeType mime = echo(each, "mimeType", (MimeType) type);
			assertThat(mime).isExactlyInstanceOf(MimeType.class).hasToString(type.toString());
		});
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void httpMethod_isTheConstant(Serializer serializer) {
		assertThat(echo(serializer, "method", HttpMethod.GET)).isSameAs(HttpMethod.GET);
		assertThat(echo(serializer, "method", HttpMethod.valueOf("LINK"))).isEqualTo(HttpMethod.valueOf("LINK"));
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void value_isRejected_whenResultWouldDiffer(Serializer serializer) {
		assertRefused(serializer, "pageable", new OffsetRequest(3),
				"arguments pageable: a %s of offset 3 (expected: 0, because a PageRequest arrives)"
					.formatted(OffsetRequest.class.getName()));
		assertRefused(serializer, "page", new CountedPage(5),
				"arguments page: a %s with number 0, size 10, total 5, hasNext false (expected: number 0, size 10, total 1, hasNext false, because a PageImpl arrives)"
					.formatted(CountedPage.class.getName()));
		assertRefused(serializer, "slice", new CountedPage(5), "total 5, hasNext false (expected: number 0");
		assertRefused(serializer, "sort", Sort.by(new OwnOrder()),
				"arguments sort: a %s (expected: exactly a Sort.Order".formatted(OwnOrder.class.getName()));
		MultiValueMap<String, Integer> ignoring = CollectionUtils.toMultiValueMap(new LinkedCaseInsensitiveMap<>());
		ignoring.add("Name", 1);
		assertRefused(serializer, "values", ignoring,
				"that ignores the case of its keys (expected: one that does not; declare HttpHeaders)");
	}

	private static void assertRefused(Serializer serializer, String method, Object value, String message) {
		MethodCodec codec = codec(serializer, method);
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> written((out) -> codec.serializeArguments(new Object[] { value }, out)))
			.withMessageContaining(message);
	}

	@Test
	void failure_suggestsReplacement_forOtherSpringTypes() {
		assertAdvice(Responses.class, "org.springframework.http.ResponseEntity",
				"Declare the type of its body, and a declared exception for a failure.");
		assertAdvice(Resources.class, "org.springframework.core.io.Resource",
				"Declare byte[], which has to fit into max-frame-size, or java.io.InputStream as the result of the method or its last parameter.");
		String json = "Declare java.util.Map<String, Object>, or java.lang.String with the text of the JSON.";
		assertAdvice(Nodes.class, "tools.jackson.databind.JsonNode", json);
		assertAdvice(ObjectNodes.class, "tools.jackson.databind.node.ObjectNode", json);
		assertAdvice(LinkedValues.class, "org.springframework.util.LinkedMultiValueMap",
				"Declare org.springframework.util.MultiValueMap.");
	}

	private static void assertAdvice(Class<?> service, String type, String action) {
		serializers().forEach((each) -> assertThatExceptionOfType(UnsupportedTypeException.class)
			.isThrownBy(() -> each.codec(ServiceDescriptor.of(service)))
			.withMessageContaining(": " + type + " cannot be sent: ")
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo(action)));
	}

	public record User(String name) {
	}

	public record Content(MediaType type, MimeType mime, HttpMethod method) {
	}

	public record Query(String text, Pageable pageable, Sort sort, HttpHeaders headers, HttpStatusCode status) {
	}

	public interface Service {

		Page<User> page(Page<User> page);

		Slice<User> slice(Slice<User> slice);

		Pageable pageable(Pageable pageable);

		List<Pageable> pageables(List<Pageable> pageables);

		Sort sort(Sort sort);

		MultiValueMap<String, Integer> values(MultiValueMap<String, Integer> values);

		HttpHeaders headers(HttpHeaders headers);

		Map<String, HttpStatusCode> status(Map<String, HttpStatusCode> status);

		Query query(Query query);

		MediaType type(MediaType type);

		MimeType mimeType(MimeType type);

		Map<MediaType, List<MediaType>> types(Map<MediaType, List<MediaType>> types);

		HttpMethod method(HttpMethod method);

		Content content(Content content);

	}

	public interface Responses {

		ResponseEntity<User> get();

	}

	public interface Resources {

		Resource get();

	}

	public interface LinkedValues {

		LinkedMultiValueMap<String, String> get();

	}

	public interface Nodes {

		JsonNode get();

	}

	public interface ObjectNodes {

		ObjectNode get();

	}

	private static final class OwnPage extends PageImpl<User> {

		private static final long serialVersionUID = 1L;

		OwnPage(List<User> content, Pageable pageable, long total) {
			super(content, pageable, total);
		}

	}

	private static final class CountedPage extends PageImpl<User> {

		private static final long serialVersionUID = 1L;

		private final long count;

		CountedPage(long count) {
			super(List.of(new User("a")), PageRequest.of(0, 10), count);
			this.count = count;
		}

		@Override
		public long getTotalElements() {
			return this.count;
		}

	}

	private static final class OwnSort extends Sort {

		private static final long serialVersionUID = 1L;

		OwnSort(List<Sort.Order> orders) {
			super(orders);
		}

	}

	private static final class OwnOrder extends Sort.Order {

		private static final long serialVersionUID = 1L;

		OwnOrder() {
			super(Sort.Direction.ASC, "a");
		}

	}

	private static final class OffsetRequest extends PageRequest {

		private static final long serialVersionUID = 1L;

		private final long offset;

		OffsetRequest(long offset) {
			super(0, 10, Sort.unsorted());
			this.offset = offset;
		}

		@Override
		public long getOffset() {
			return this.offset;
		}

	}

}
